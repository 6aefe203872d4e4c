"""Sends what a public Python client asks to a running server, and counts what was checked (test/python-client.ts starts both).

bigc is written for the hosted API and kept by others: https://pypi.org/project/bigc/. Nothing of it is changed but where
its requests go.
"""

import os
import sys

from bigc import BigCommerceAPI
from requests.adapters import HTTPAdapter

ORIGIN = os.environ['STOREWARD_ORIGIN']
HOSTED = 'https://api.bigcommerce.com'

send = HTTPAdapter.send


def send_to_server(adapter, request, **options):
    assert request.url.startswith(HOSTED), request.url
    request.url = ORIGIN + request.url[len(HOSTED) :]
    return send(adapter, request, **options)


HTTPAdapter.send = send_to_server

client = BigCommerceAPI(os.environ['STOREWARD_STORE'], os.environ['STOREWARD_TOKEN'])
api = client.api_v3
checks = 0


def equal(found, expected):
    """Each field that is expected is there with this value; other fields don't matter."""
    global checks
    checks += 1
    if isinstance(expected, dict):
        found = {key: value for key, value in found.items() if key in expected}
    assert found == expected, f'expected {expected!r}, found {found!r}'


def refused(error, deed):
    global checks
    checks += 1
    try:
        deed()
    except error as raised:
        return raised
    raise AssertionError(f'expected {error.__name__}')


def finish(things):
    print(f'bigc walked {things} of {ORIGIN} with Python {sys.version.split()[0]}: {checks} checks hold.')
