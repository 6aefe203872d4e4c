"""A public Python client walks customers of a running server (started by test/python-client.ts)."""

from bigc.exceptions import InvalidDataError

from server import api, equal, finish, refused

# Attributes, and customers with addresses.
equal(api.post('/customers/attributes', data=[{'name': 'Size', 'type': 'number'}])[0], {'id': 1, 'name': 'Size'})
address = {
    'first_name': 'Ann',
    'last_name': 'Lee',
    'address1': '12 Harbour Street',
    'city': 'Sydney',
    'state_or_province': 'New South Wales',
    'postal_code': '2000',
    'country_code': 'AU',
}
people = api.post(
    '/customers',
    data=[
        {
            'email': 'ann@example.com',
            'first_name': 'Ann',
            'last_name': 'Lee',
            'attributes': [{'attribute_id': 1, 'attribute_value': '42'}],
            'addresses': [address],
        },
        {'email': 'bo@example.com', 'first_name': 'Bo', 'last_name': 'Ek'},
    ],
)
equal([customer['id'] for customer in people], [1, 2])
equal(people[0], {'address_count': 1, 'attribute_count': 1, 'channel_ids': None, 'customer_group_id': 0})
made = api.post('/customers/addresses', data=[{**address, 'customer_id': 2}])
equal(made[0], {'id': 2, 'customer_id': 2, 'country': 'Australia'})
equal(api.post('/customers/addresses', data=[{**address, 'customer_id': 2}]), [])
equal(api.put('/customers/attribute-values', data=[{'customer_id': 2, 'attribute_id': 1, 'value': '38'}])[0], {'attribute_value': '38'})
changed = api.put('/customers', data=[{'id': 2, 'company': 'Ek & Co', 'store_credit_amounts': [{'amount': 7.5}]}])
equal(changed[0], {'company': 'Ek & Co', 'store_credit_amounts': [{'amount': 7.5}]})

# Lists to the end, by page and by cursor, and filters.
for first in range(0, 20, 10):
    numbers = range(first, first + 10)
    api.post('/customers', data=[{'email': f'n{n}@example.com', 'first_name': 'Nora', 'last_name': f'No{n}'} for n in numbers])
equal([customer['id'] for customer in api.get_many('/customers', page_size=7)], list(range(1, 23)))
equal([customer['id'] for customer in api.get_many('/customers', page_size=7, cursor=True)], list(range(1, 23)))
equal([customer['id'] for customer in api.get_many('/customers', params={'email:in': 'ANN@example.com'})], [1])
equal(len(list(api.get_many('/customers', params={'name:like': 'nora'}))), 20)

# What is refused becomes the right exception, and says why.
taken = refused(InvalidDataError, lambda: api.post('/customers', data=[{'email': 'Ann@example.com', 'first_name': 'A', 'last_name': 'L'}]))
equal('already in use' in taken.errors['.customer_create'], True)

# Deletes.
equal(api.delete('/customers', params={'id:in': '1'}), None)
equal([customer['id'] for customer in api.get_many('/customers', params={'id:in': '1,2'})], [2])

finish('customers')
