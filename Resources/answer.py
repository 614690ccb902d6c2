#!/usr/bin/env python3
"""Answers every chat request with one answer, as a model server does: answer.py PORT-FILE.

It writes its port into the file, and numbers its citations as the request numbers the excerpts.
"""
import http.server
import json
import re
import sys

PARTS = [
    ("Reading list", "After Piranesi comes the *Borges* one, in the translation that Ana lent you"),
    ("Ana", "Her birthday is on the 12th; she likes 世界 maps"),
]


def answer(request):
    numbers = {}
    for message in request["messages"]:
        for line in (message.get("content") or "").splitlines():
            if line.startswith("{"):
                excerpt = json.loads(line)
                numbers.setdefault(excerpt["note"], excerpt["n"])
    return " ".join("%s [%d]." % (sentence, numbers[note]) for note, sentence in PARTS if note in numbers)


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.0"

    def log_message(self, *arguments):
        pass

    def do_GET(self):
        self.reply("application/json", json.dumps({"data": [{"id": "a-model"}]}))

    def do_POST(self):
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        frames = [{"choices": [{"delta": {"content": word}}]} for word in re.findall(r"\S+\s*", answer(request))]
        frames.append({"choices": [{"delta": {}, "finish_reason": "stop"}]})
        lines = ["data: %s\n\n" % json.dumps(frame) for frame in frames] + ["data: [DONE]\n\n"]
        self.reply("text/event-stream", "".join(lines))

    def reply(self, kind, text):
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.end_headers()
        self.wfile.write(text.encode())


server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
with open(sys.argv[1], "w") as file:
    file.write(str(server.server_address[1]))
server.serve_forever()
