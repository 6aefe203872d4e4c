"""A pytest plugin: each test gets a store of its own, forked from a store with data.

Run the tests by ``npx storeward-testing pytest -p storeward_testing``, which starts a server and sets STOREWARD_URL and
STOREWARD_OPERATOR_KEY. It needs Python 3.9 and no other package. The verbs are those of @storeward/testing (docs/testing.md).
"""

import base64
import contextlib
import hashlib
import hmac
import json
import math
import os
import random
import re
import threading
import time
import urllib.error
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

PATIENCE_SECONDS = 300
REQUESTS_KEPT = 20
UNITS = {"ms": 0.001, "s": 1, "min": 60, "h": 3600, "d": 86400}


def seconds(text):
    """Seconds of "5 s", "3 d" or a number."""
    if isinstance(text, (int, float)):
        return text
    match = re.fullmatch(r"(\d+(?:\.\d+)?) ?([a-z]+)", text)
    if match is None or match[2] not in UNITS:
        raise ValueError(f'"{text}" is no time: write a number and ms, s, min, h or d, such as "5 s".')
    return float(match[1]) * UNITS[match[2]]


class Refused(Exception):
    """The server refused a request."""

    def __init__(self, status, text):
        super().__init__(f"{status} {text}")
        self.status = status


def exchange(verb, url, body=None, headers=None):
    """Sends JSON and returns the status and the answer, or None without a body."""
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data=data, method=verb, headers={"Accept": "application/json", **(headers or {})})
    if data is not None:
        request.add_header("Content-Type", "application/json")
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            status, text = answer.status, answer.read()
    except urllib.error.HTTPError as error:
        raise Refused(error.code, error.read().decode()) from None
    return status, json.loads(text) if text else None


class Receiver:
    """Receives the webhooks of a store and verifies their signatures."""

    def __init__(self, shop):
        self._shop = shop
        self._arrived = threading.Condition()
        self._hooked = set()
        self.events = []
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                self.send_response(200 if receiver._accept(self.headers, body) else 400)
                self.end_headers()

            def log_message(self, *_):
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def expect(self, scope):
        """Makes the hook of a scope. Call it before the request that causes the event."""
        if scope not in self._hooked:
            address = f"http://127.0.0.1:{self._server.server_port}/{scope}"
            self._shop.call("POST", "/v3/hooks", {"scope": scope, "destination": address})
            self._hooked.add(scope)

    def wait_for(self, scope, within="5 s"):
        """The first event of a scope; it must have been expected."""
        end = time.monotonic() + seconds(within)
        with self._arrived:
            while True:
                for event in self.events:
                    if event["scope"] == scope:
                        return event
                if not self._arrived.wait(max(0, end - time.monotonic())):
                    scopes = [event["scope"] for event in self.events]
                    raise AssertionError(f"No {scope} arrived within {within}. These events arrived: {scopes}")

    def close(self):
        self._server.shutdown()
        self._server.server_close()

    def _accept(self, headers, body):
        signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
        digest = hmac.new(self._shop.secret.encode(), signed, hashlib.sha256).digest()
        expected = "v1," + base64.b64encode(digest).decode()
        if not any(hmac.compare_digest(one, expected) for one in headers["webhook-signature"].split(" ")):
            return False
        with self._arrived:
            self.events.append(json.loads(body))
            self._arrived.notify_all()
        return True


class Clock:
    """The clock of a test store. It only moves on."""

    def __init__(self, shop):
        self._shop = shop

    def advance(self, text):
        """Moves the clock on by "3 d", and does the work that is due. Returns the time of the store."""
        moved = self._shop.operator("POST", f"/stores/{self._shop.hash}/clock/advance", {"seconds": math.ceil(seconds(text))})
        left = {kind: count for kind, count in moved.get("left", {}).items() if count > 0}
        if left:
            raise AssertionError(f"The store has due work that is not done: {left}.")
        return moved["time"]

    def now(self):
        """The time of the store."""
        return self._shop.operator("GET", f"/stores/{self._shop.hash}/clock")["time"]


OUTCOMES = {
    "payment": ("gateway", {"declined": "declined", "pending": "pending", "timed out": "timed_out", "answer lost": "answer_lost"}),
    "mail": ("mail", {"fails": "fails", "timed out": "timed_out"}),
    "files": ("files", {"fails": "fails", "disk full": "full_disk"}),
    "pictures": ("pictures", {"fails": "fails", "timed out": "timed_out"}),
}
RESETS = {"connection lost before": "before_work", "answer lost": "after_commit", "answer cut": "half_body"}


def rule_of(what, how):
    """The rule of a fault, as the server takes it."""
    if " " in what:
        if isinstance(how, int):
            return {"operation": what, "status": how}
        if how not in RESETS:
            raise ValueError(f'A request has a status such as 503, or {quoted(RESETS)}, and not "{how}".')
        return {"operation": what, "reset": RESETS[how]}
    name = "payment" if what in ("capture", "refund", "void") else what
    if name not in OUTCOMES:
        raise ValueError(f'"{what}" is no operation and no port: {", ".join(OUTCOMES)}, capture, refund, void.')
    port, outcomes = OUTCOMES[name]
    if how not in outcomes:
        raise ValueError(f'"{what}" has {quoted(outcomes)}, and not "{how}".')
    return {"port": port, "outcome": outcomes[how]}


def quoted(words):
    return ", ".join(f'"{word}"' for word in words)


class Fault:
    """A fault of a test store."""

    def __init__(self, faults, number):
        self._faults = faults
        self._number = number

    def seen(self):
        """The number of requests or calls that it has met."""
        return next((one["seen"] for one in self._faults.list() if one["id"] == self._number), 0)


class Faults:
    """Failures that a test store makes on purpose."""

    def __init__(self, shop):
        self._path = f"/stores/{shop.hash}/faults"
        self._shop = shop

    def next(self, what, how, times=1):
        """The next calls of a port ("capture", "mail"), or the next requests to an operation ("POST /v3/catalog/brands"), fail."""
        made = self._shop.operator("POST", self._path, {**rule_of(what, how), "next": times})
        # Servers follow a new fault within a second.
        time.sleep(1.1)
        return Fault(self, made["id"])

    def list(self):
        """The faults that have not ended, as the server has them."""
        return self._shop.operator("GET", self._path)

    def clear(self):
        """Ends all faults."""
        self._shop.operator("DELETE", self._path)


class Mailbox:
    """The e-mails of a test store, which never sends them."""

    def __init__(self, shop):
        self._path = f"/stores/{shop.hash}/mails"
        self._shop = shop

    def list(self):
        """The last 100 e-mails without their texts, the newest first."""
        return self._shop.operator("GET", self._path)

    def wait_for(self, to=None, subject=None, within="5 s"):
        """The newest e-mail to an address, whose subject contains a text."""
        end = time.monotonic() + seconds(within)
        while True:
            mails = self.list()
            for mail in mails:
                if (to is None or mail["recipient"] == to) and (subject is None or subject in mail["subject"]):
                    return self._shop.operator("GET", f"{self._path}/{mail['id']}")
            if time.monotonic() >= end:
                there = [f"{mail['recipient']}: {mail['subject']}" for mail in mails]
                raise AssertionError(f"No such e-mail within {within}. The store has these: {there}")
            time.sleep(0.05)


class Shop:
    """A fork of a store, with its token."""

    def __init__(self, source="tiny"):
        self.url = os.environ["STOREWARD_URL"]
        stores = self.operator("GET", "/stores")
        found = [store for store in stores if source in (store["hash"], store["name"])]
        if not found:
            raise LookupError(f'The server has no store "{source}" to fork.')
        moment = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        made = self.operator("POST", f"/stores/{found[0]['hash']}/forks", {"name": f"test fork {moment}", "lifetime_minutes": 60})
        self.hash = made["hash"]
        self.token = made["account"]["access_token"]
        self.secret = made["account"]["client_secret"]
        self.receiver = Receiver(self)
        self.clock = Clock(self)
        self.faults = Faults(self)
        self.mailbox = Mailbox(self)
        #: The last requests with their statuses, for the report of a failed test.
        self.requests = []

    def operator(self, verb, path, body=None):
        """Sends a request to the operator's API and returns its data."""
        headers = {"Authorization": f"Bearer {os.environ['STOREWARD_OPERATOR_KEY']}"}
        end = time.monotonic() + PATIENCE_SECONDS
        while True:
            try:
                _, answer = exchange(verb, f"{self.url}/operator/v1{path}", body, headers)
                return None if answer is None else answer["data"]
            except Refused as refusal:
                # A busy server.
                if refusal.status not in (429, 503) or time.monotonic() >= end:
                    raise
                time.sleep(random.random())

    def call(self, verb, path, body=None):
        """Sends a request to the store: ``shop.call("GET", "/v3/catalog/products")``."""
        outcome = "no answer"
        try:
            outcome, answer = exchange(verb, f"{self.url}/stores/{self.hash}{path}", body, {"X-Auth-Token": self.token})
            return answer
        except Refused as refusal:
            outcome = refusal.status
            raise
        finally:
            self.requests = [*self.requests, f"{verb} {path} {outcome}"][-REQUESTS_KEPT:]

    def free(self):
        """Deletes the store."""
        self.receiver.close()
        try:
            self.operator("DELETE", f"/stores/{self.hash}")
        except Refused as refusal:
            if refusal.status != 404:
                raise


@contextlib.contextmanager
def fork(source="tiny"):
    """A fork that is deleted at the end of the block."""
    shop = Shop(source)
    try:
        yield shop
    finally:
        shop.free()


try:
    import pytest
except ImportError:
    pass
else:

    @pytest.fixture
    def shop():
        """A fork of the store with 12 products."""
        with fork() as forked:
            yield forked

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_makereport(item, call):
        """Adds the last requests to the report of a failed test."""
        report = (yield).get_result()
        used = getattr(item, "funcargs", {}).get("shop")
        if report.failed and isinstance(used, Shop):
            report.sections.append(("requests of the store", "\n".join(used.requests)))
