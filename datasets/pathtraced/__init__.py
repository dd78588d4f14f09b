"""Photos of laid tables by path tracing (Mitsuba 3, the extra [render]): solids in real light, seen through a lens.

This is the second, independent way from a `datasets.scene.table.Table` to a photo with exact ground truth; the first is
`datasets.render.compositor`. The two differ on purpose: here tiles and pieces have thickness and rounded edges; light
comes from a lamp of finite size and from a room, bounces, and casts soft shadows; the lens blurs, distorts and
vignettes.

    python -m datasets.generate --renderer pathtraced --size 1600x1200 --out DIR --count 16 --seed 1
"""
