"""A public Python client sells over the phone: an order of a running server with its money (started by test/python-client.ts)."""

from time import monotonic, sleep

from bigc.exceptions import InvalidDataError

from server import api, client, equal, finish, refused


def wait_for(what, read, expected, seconds=30):
    """What jobs of the server do comes a moment later."""
    end = monotonic() + seconds
    while read() != expected and monotonic() < end:
        sleep(0.1)
    assert read() == expected, f'waited for {what}: {expected!r}, found {read()!r}'


# An order that is authorized at the test gateway as it is created.
order = client.orders_v2.create(
    {
        'billing_address': {'first_name': 'Ida', 'last_name': 'Holm', 'zip': '1051', 'country_iso2': 'DK', 'email': 'ida@example.com'},
        'products': [{'name': 'Print', 'quantity': 2, 'price_ex_tax': 20, 'price_inc_tax': 25}],
        'payment_method': 'Test Payment Gateway',
        'payment_status': 'authorized',
        'status_id': 7,
    }
)
equal(order, {'id': 1, 'total_inc_tax': '50.0000', 'payment_status': 'authorized'})
equal([line['quantity'] for line in client.orders_v2.all_products(1)], [2])

# What was authorized is captured, once.
equal(api.post('/orders/1/payment_actions/capture'), {'order_id': 1, 'payment_status': 'capture pending'})
wait_for('the capture', lambda: client.orders_v2.get(1)['payment_status'], 'captured')
again = refused(InvalidDataError, lambda: api.post('/orders/1/payment_actions/capture'))
equal(again.errors, {'payment_status': "capture is not allowed while payment is 'captured'"})

# A part of it is quoted, refunded, and read in both families.
items = [{'item_type': 'PRODUCT', 'item_id': 1, 'quantity': 1}]
quote = client.orders_v3.get_refund_quote(1, {'items': items})
equal(quote, {'order_id': 1, 'total_refund_amount': 25, 'total_refund_tax_amount': 5})
payments = next(way for way in quote['refund_methods'] if way[0]['provider_id'] == 'testgateway')
equal(client.orders_v3.create_refund(1, {'items': items, 'payments': payments}), {'id': 1, 'total_amount': 25})
wait_for('the refund', lambda: client.orders_v2.get(1)['payment_status'], 'partially refunded')
equal(client.orders_v2.get(1), {'status': 'Partially Refunded', 'refunded_amount': '25.0000'})
equal([line['quantity_refunded'] for line in client.orders_v2.all_products(1)], [1])
equal([refund['id'] for refund in client.orders_v3.all_refunds()], [1])
equal([refund['id'] for refund in client.orders_v3.all_refunds(1)], [1])
equal(client.orders_v3.get_refund(1)['payments'][0], {'is_declined': False, 'amount': 25})
too_many = refused(InvalidDataError, lambda: client.orders_v3.get_refund_quote(1, {'items': [{**items[0], 'quantity': 2}]}))
equal(list(too_many.errors), ['items.0.quantity'])

finish('orders')
