"""Path tracing of surfaces, light and a camera to radiance with Mitsuba 3, which only this module needs.

Mitsuba's world is right-handed; a table's, with y down the lattice's rows and z up, is not, so y is negated here.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from types import ModuleType
from typing import Any

import numpy as np

from datasets.pathtraced.light import Light
from datasets.pathtraced.solids import Mesh
from datasets.pathtraced.staging import Surface
from datasets.scene.camera import Camera
from vision.arrays import Singles
from vision.errors import InputError

VARIANTS = ("llvm_ad_rgb", "scalar_rgb")
"""Mitsuba variants; the first is several times faster and needs LLVM 16 or newer."""
MAX_PATH_DEPTH = 4
"""Maximum path depth: includes light that bounced twice between tiles, pieces and table."""
PASS_SAMPLES = 4
MIRROR = np.diag([1.0, -1.0, 1.0])


def trace(
    surfaces: Sequence[Surface], light: Light, camera: Camera, aperture: float, margin: int, samples: int, seed: int
) -> Singles:
    """Trace (h, w, 3) linear BGR radiance, `margin` pixels larger than the camera's picture on each side.

    `aperture` is the lens's radius in tiles, focused on the picture's centre. Raises InputError if Mitsuba is missing.
    """
    mi = load_mitsuba()
    world: dict[str, Any] = {"type": "scene", **_light(mi, light), "camera": _camera(mi, camera, aperture, margin)}
    world |= {f"surface_{i}": _shape(mi, surface) for i, surface in enumerate(surfaces)}
    world["integrator"] = {"type": "path", "max_depth": MAX_PATH_DEPTH}
    scene = mi.load_dict(world)
    passes = max(1, samples // PASS_SAMPLES)
    rendered = [np.array(mi.render(scene, spp=PASS_SAMPLES, seed=seed * 1000 + i), np.float32) for i in range(passes)]
    return np.ascontiguousarray(np.mean(rendered, axis=0)[..., ::-1], np.float32)


@cache
def load_mitsuba() -> ModuleType:
    """Load Mitsuba in its fastest available variant; raises InputError if it is missing."""
    try:
        import mitsuba as mi
    except ImportError as error:
        raise InputError("renderer_missing", "Path tracing needs Mitsuba: install the extra [render].", {}) from error
    for variant in VARIANTS:
        mi.set_variant(variant)
        if variant.startswith("scalar") or _has_llvm():
            break
    mi.set_log_level(mi.LogLevel.Error)
    return mi


def _has_llvm() -> bool:
    import drjit

    return bool(drjit.has_backend(drjit.JitBackend.LLVM)) and drjit.detail.llvm_version()[0] >= 16


def _camera(mi: ModuleType, camera: Camera, aperture: float, margin: int) -> dict[str, Any]:
    w, h = camera.size
    rows = camera.matrix[:, :3]
    focal = np.linalg.norm(rows[0] - w / 2 * rows[2])
    right, down = (rows[0] - w / 2 * rows[2]) / focal, (rows[1] - h / 2 * rows[2]) / focal
    to_world = np.eye(4)
    to_world[:3] = MIRROR @ np.stack([-right, -down, rows[2], camera.position], axis=1)
    ahead = camera.position[2] / max(-float(rows[2, 2]), 0.1)
    film = {"width": w + 2 * margin, "height": h + 2 * margin, "rfilter": {"type": "box"}, "pixel_format": "rgb"}
    return {
        "type": "thinlens" if aperture else "perspective",
        "to_world": mi.ScalarTransform4f(to_world),
        "fov": float(np.rad2deg(2 * np.arctan((w / 2 + margin) / focal))),
        "fov_axis": "x",
        **({"aperture_radius": aperture, "focus_distance": float(ahead)} if aperture else {}),
        "near_clip": 0.05,
        "far_clip": 1e4,
        "film": {"type": "hdrfilm", "component_format": "float32", **film},
        "sampler": {"type": "independent"},
    }


def _light(mi: ModuleType, light: Light) -> dict[str, Any]:
    at = (MIRROR @ np.array(light.at)).tolist()
    upright = mi.ScalarTransform4f().rotate([1, 0, 0], 90)
    return {
        "room": {"type": "envmap", "bitmap": mi.Bitmap(light.room), "to_world": upright},
        "lamp": {
            "type": "sphere",
            "center": at,
            "radius": light.radius,
            "emitter": {"type": "area", "radiance": {"type": "rgb", "value": list(light.radiance)}},
        },
    }


def _shape(mi: ModuleType, surface: Surface) -> Any:
    properties = mi.Properties()
    properties["bsdf"] = mi.load_dict({"type": "twosided", "coat": _finish(mi, surface)})
    return _mesh(mi, surface.mesh, properties)


def _finish(mi: ModuleType, surface: Surface) -> dict[str, Any]:
    picture = np.ascontiguousarray(surface.picture[..., ::-1])
    paint = {"type": "bitmap", "bitmap": mi.Bitmap(picture), "wrap_mode": "mirror", "raw": False}
    if surface.roughness is None:
        return {"type": "diffuse", "reflectance": paint}
    return {"type": "roughplastic", "diffuse_reflectance": paint, "alpha": surface.roughness}


def _mesh(mi: ModuleType, mesh: Mesh, properties: Any) -> Any:
    shape = mi.Mesh("surface", len(mesh.vertices), len(mesh.faces), properties, False, True)
    parameters = mi.traverse(shape)
    parameters["vertex_positions"] = (mesh.vertices * np.diag(MIRROR)).astype(np.float32).ravel()
    parameters["faces"] = mesh.faces.astype(np.uint32).ravel()
    parameters["vertex_texcoords"] = mesh.uv.astype(np.float32).ravel()
    parameters.update()
    return shape
