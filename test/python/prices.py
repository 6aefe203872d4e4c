"""A public Python client gives a group its prices, and reads tax classes and shipping (started by test/python-client.ts)."""

from bigc.exceptions import DoesNotExistError, InvalidDataError

from server import api, client, equal, finish, refused

v2 = client.api_v2

for n in (1, 2):
    api.post('/catalog/products', data={'name': f'Mug {n}', 'type': 'physical', 'weight': 1, 'price': 10 * n})

# Tax classes: the older family reads them.
classes = list(v2.get_many('/tax_classes'))
equal([tax_class['name'] for tax_class in classes], ['Non-Taxable Products', 'Shipping', 'Gift Wrapping'])
equal(v2.get('/tax_classes/2'), {'id': '2', 'name': 'Shipping'})
refused(DoesNotExistError, lambda: v2.get('/tax_classes/99'))

# A zone with its methods, and the list of all methods.
zone = v2.post('/shipping/zones', data={'name': 'North', 'type': 'country', 'locations': [{'country_iso2': 'DK'}]})
equal(zone, {'id': 1, 'name': 'North', 'enabled': True})
for rate in (7, 12):
    method = {'name': f'Post {rate}', 'type': 'perorder', 'settings': {'rate': rate}}
    equal(v2.post('/shipping/zones/1/methods', data=method), method)
equal([method['name'] for method in v2.get_many('/shipping/methods')], ['Post 7', 'Post 12'])
equal(v2.put('/shipping/zones/1/methods/2', data={'name': 'Express'})['name'], 'Express')
equal(v2.delete('/shipping/zones/1/methods/2'), None)
equal(len(list(v2.get_many('/shipping/zones/1/methods'))), 1)

# A group whose price list has prices with tiers.
price_list = api.post('/pricelists', data={'name': 'Trade'})
tiers = [{'quantity_min': 10, 'quantity_max': 0, 'type': 'percent', 'amount': 10}]
api.put(f'/pricelists/{price_list["id"]}/records', data=[{'variant_id': 1, 'currency': 'usd', 'price': 8, 'bulk_pricing_tiers': tiers}])
discounts = [{'type': 'price_list', 'price_list_id': price_list['id']}]
group = v2.post('/customer_groups', data={'name': 'Trade', 'discount_rules': discounts})
equal(group, {'name': 'Trade', 'discount_rules': discounts})
equal(client.customer_groups_v2.get(group['id'])['discount_rules'], discounts)
equal(api.get('/pricelists/assignments')[0], {'price_list_id': price_list['id'], 'customer_group_id': group['id'], 'channel_id': None})


def prices(**shopper):
    request = {'channel_id': 1, 'currency_code': 'USD', 'items': [{'product_id': 1}, {'product_id': 2}], **shopper}
    return [item['calculated_price']['tax_exclusive'] for item in client.pricing_v3.get_pricing(request)]


equal(prices(), [10, 20])
equal(prices(customer_group_id=group['id']), [8, 20])
unknown = refused(InvalidDataError, lambda: prices(channel_id=99))
equal(list(unknown.errors), ['channel_id'])

# An inactive list counts as unassigned.
api.put(f'/pricelists/{price_list["id"]}', data={'active': False})
equal(prices(customer_group_id=group['id']), [10, 20])

finish('prices')
