"""Stacks of boxes in MuJoCo: where `boxes.ts` has its boxes, with its time step, mass and friction."""

import json
import sys

import mujoco
from peer import answer, milliseconds

places, edge, floor, friction, time_step = json.loads(sys.argv[1]).values()


def box(place: list[float]) -> str:
    x, y, z = place
    size = f'size="{edge / 2} {edge / 2} {edge / 2}"'
    # MuJoCo's z points up.
    return f'<body pos="{x} {-z} {y}"><freejoint/><geom type="box" {size} mass="1" friction="{friction}"/></body>'


def build(sleep: str) -> tuple[mujoco.MjModel, mujoco.MjData]:
    x, y, z = floor
    model = mujoco.MjModel.from_xml_string(
        f"""<mujoco>
          <option timestep="{time_step}"><flag sleep="{sleep}"/></option>
          <worldbody>
            <geom type="box" size="{x} {z} {y}" pos="0 0 {-y}" friction="{friction}"/>
            {"".join(map(box, places))}
          </worldbody>
        </mujoco>"""
    )
    return model, mujoco.MjData(model)


awake = build("disable")
resting = build("enable")
answer(
    {
        "awake": lambda: milliseconds(lambda: mujoco.mj_step(*awake)),
        "resting": lambda: milliseconds(lambda: mujoco.mj_step(*resting)),
        "lowest top": lambda: min(pose[2] for pose in awake[1].qpos.reshape(-1, 7)[9::10]),
        "lowest resting top": lambda: min(pose[2] for pose in resting[1].qpos.reshape(-1, 7)[9::10]),
        "contacts": lambda: awake[1].ncon,
    }
)
