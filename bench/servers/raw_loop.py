"""The least that answers: reads a message, writes an answer. What nothing can be quicker than."""

import json
import sys

reader, writer = sys.stdin.buffer, sys.stdout.buffer
while True:
    length = 0
    while (line := reader.readline()).strip():
        if line.lower().startswith(b"content-length:"):
            length = int(line.split(b":")[1])
    if not line:
        break
    message = json.loads(reader.read(length))
    if "id" not in message:
        continue
    answer = {"jsonrpc": "2.0", "id": message["id"], "result": {"capabilities": {}}}
    body = json.dumps(answer).encode()
    writer.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
    writer.flush()
