"""Photos of laid tables by path tracing (Mitsuba 3, the extra [render]): solids in real light, seen through a lens.

The second, independent way from a `datasets.scene.table.Table` to a photo with exact truth; the first is
`datasets.render.compositor`. What is here differs from it on purpose: tiles and pieces have thickness and rounded
edges, light comes from a lamp with a size and from a room, bounces, and throws soft shadows; a lens blurs, bends and
darkens.

    python -m datasets.generate --renderer pathtraced --size 1600x1200 --out DIR --count 16 --seed 1
"""
