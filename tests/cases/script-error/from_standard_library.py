# expect: 5 script-error
# why: json raises in its own file; the user's line is the call
# raises: ValueError
import json
settings = json.loads("{'rate': 0.1}")
