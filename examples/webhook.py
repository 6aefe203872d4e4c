"""Makes a product in the demo store, hears of it by a webhook, and verifies that it is storeward who tells.

npm start in one terminal, python3 examples/webhook.py in another. Needs nothing but Python.
"""
import base64, hashlib, hmac, json, queue, sys, threading, time, urllib.request
from http.server import BaseHTTPRequestHandler, HTTPServer

with open(sys.argv[1] if len(sys.argv) > 1 else "data/sandbox.json") as file:
    sandbox = json.load(file)
secret = sandbox["clients"]["admin"]["client_secret"].encode()
events = queue.Queue()


def call(method, path, body=None):
    request = urllib.request.Request(
        f"{sandbox['base_url']}/stores/{sandbox['store_hash']}/v3{path}",
        method=method,
        data=None if body is None else json.dumps(body).encode(),
        headers={"X-Auth-Token": sandbox["tokens"]["admin"], "Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request) as answer:
        return json.loads(answer.read() or b"{}").get("data")


def verify(headers, body):
    signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
    mine = "v1," + base64.b64encode(hmac.new(secret, signed, hashlib.sha256).digest()).decode()
    if not any(hmac.compare_digest(mine, theirs) for theirs in headers["webhook-signature"].split()):
        raise ValueError("the signature is not valid")
    if abs(time.time() - int(headers["webhook-timestamp"])) > 300:
        raise ValueError("the callback is old")


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        verify(self.headers, body)
        self.send_response(204)
        self.end_headers()
        events.put(json.loads(body))

    def log_message(self, *_):
        pass


receiver = HTTPServer(("127.0.0.1", 0), Receiver)
threading.Thread(target=receiver.serve_forever, daemon=True).start()
destination = f"http://127.0.0.1:{receiver.server_port}/"
hook = call("POST", "/hooks", {"scope": "store/product/created", "destination": destination})
product = call("POST", "/catalog/products", {"name": f"Lamp {time.time_ns()}", "type": "physical", "weight": 1, "price": 49})
print(f"Made product {product['id']}.")
event = events.get(timeout=30)
print(f"Heard and verified: {event['scope']} {event['data']['id']}")
call("DELETE", f"/hooks/{hook['id']}")
call("DELETE", f"/catalog/products/{product['id']}")
