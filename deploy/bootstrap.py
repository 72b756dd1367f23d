"""The first step of make: find a Python that is new enough, then hand over to prepare.py.

Written for any Python there ever was, and without functions, so that an old one can say that it is too old.
"""

import os
import subprocess
import sys

OLDEST = (3, 11)
CANDIDATES = ("python3.14", "python3.13", "python3.12", "python3.11", "python3", "python")
PROBE = "import sys; sys.exit(sys.version_info < (3, 11))"

chosen = None
if sys.version_info >= OLDEST:
    chosen = sys.executable
else:
    for name in CANDIDATES:
        try:
            silent = open(os.devnull, "w")
            if subprocess.call([name, "-c", PROBE], stdout=silent, stderr=silent) == 0:
                chosen = name
                break
        except OSError:
            continue

if chosen is None:
    sys.stderr.write(
        "Mutirao needs Python 3.11 or newer and found only %s: install it, or name it with PYTHON=/path/to/python3.\n"
        % ".".join(str(part) for part in sys.version_info[:3])
    )
    sys.exit(1)

script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "prepare.py")
sys.stdout.flush()
try:
    os.execvp(chosen, [chosen, script] + sys.argv[1:])
except OSError:
    sys.stderr.write("Python at %s could not be started: name another with PYTHON=/path/to/python3.\n" % chosen)
    sys.exit(1)
