"""How long a batch of fifty stories takes, from the click to the last story's tasks."""

import json
import time

from tests.bench.running_house import RunningHouse
from tests.chaos.batches import document

STORIES = 50
GIVE_UP_S = 120.0
LOOK_S = 0.2


def seconds(house: RunningHouse) -> float:
    """The rehearsal plays the generator: what is measured is the house and no model."""
    person = house.person
    project = person.create_project()
    text = json.dumps(document(STORIES))
    person.act("POST", f"projects/{project}/backlog/import", {"format": "json", "text": text, "is_dry_run": False})
    path = f"projects/{project}/iterations/I-1"
    began = time.monotonic()
    person.act("POST", f"{path}/detail")
    while not person.act("GET", path)["batch"]["is_finished"]:
        if time.monotonic() - began > GIVE_UP_S:
            raise RuntimeError("the batch does not end")
        time.sleep(LOOK_S)
    return time.monotonic() - began
