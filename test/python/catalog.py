"""A public Python client walks the catalog of a running server (started by test/python-client.ts)."""

from bigc.exceptions import ConflictError, DoesNotExistError, InvalidDataError

from server import api, client, equal, finish, refused

# Brands and a tree of categories.
ferm = api.post('/catalog/brands', data={'name': 'Ferm'})
equal(ferm, {'id': 1, 'name': 'Ferm', 'custom_url': {'url': '/ferm/', 'is_customized': False}})
for name, parent_id in [('Table', 0), ('Mugs', 1), ('Light', 0)]:
    client.categories_v3.create({'name': name, 'parent_id': parent_id})
equal(client.categories_v3.update(2, {'description': 'Fired twice.'}), {'id': 2, 'parent_id': 1, 'description': 'Fired twice.'})
equal([category['name'] for category in client.categories_v3.all(params={'parent_id': 0})], ['Table', 'Light'])

# A product with variants, an image and a custom field, then one whose options come later.
mug = client.products_v3.create(
    {
        'name': 'Stoneware mug',
        'type': 'physical',
        'sku': 'MUG',
        'weight': 0.4,
        'price': '18.50',
        'brand_id': 1,
        'categories': [2],
        'custom_fields': [{'name': 'Made in', 'value': 'Portugal'}],
        'images': [{'image_url': 'https://cdn.example.com/mug.png'}],
        'variants': [
            {'sku': 'MUG-SAND', 'option_values': [{'option_display_name': 'Glaze', 'label': 'Sand'}]},
            {'sku': 'MUG-SEA', 'price': 21, 'option_values': [{'option_display_name': 'Glaze', 'label': 'Sea'}]},
        ],
    }
)
equal(mug, {'id': 1, 'price': 18.5, 'calculated_price': 18.5, 'categories': [2], 'base_variant_id': None})
whole = client.products_v3.get(1, params={'include': ['variants', 'images', 'custom_fields', 'options']})
equal([variant['calculated_price'] for variant in whole['variants']], [18.5, 21])
equal(whole['images'][0], {'id': 1, 'is_thumbnail': True})
equal(whole['custom_fields'], [{'id': 1, 'name': 'Made in', 'value': 'Portugal'}])
equal([value['label'] for value in whole['options'][0]['option_values']], ['Sand', 'Sea'])

client.products_v3.create({'name': 'Bowl', 'type': 'physical', 'sku': 'BOWL', 'weight': 1, 'price': 30})
size = api.post(
    '/catalog/products/2/options',
    data={
        'display_name': 'Size',
        'type': 'rectangles',
        'option_values': [{'label': 'S', 'sort_order': 0}, {'label': 'M', 'sort_order': 1}],
    },
)
for value in size['option_values']:
    client.product_variants_v3.create(
        2, {'sku': f'BOWL-{value["label"]}', 'option_values': [{'option_id': size['id'], 'id': value['id']}]}
    )
equal([variant['sku'] for variant in client.product_variants_v3.all(2)], ['BOWL-S', 'BOWL-M'])
first = next(client.product_variants_v3.all(2))
equal(client.product_variants_v3.update(2, first['id'], {'price': 28.75}), {'calculated_price': 28.75})
equal(client.product_variants_v3.get(2, first['id']), {'sku': 'BOWL-S', 'price': 28.75})

# Pages to the end, filters, batches.
for number in range(1, 24):
    client.products_v3.create(
        {'name': f'Plate {number}', 'type': 'physical', 'sku': f'PLATE-{number}', 'weight': 1, 'price': number}
    )
plates = list(api.get_many('/catalog/products', params={'keyword': 'plate'}, page_size=10))
equal([plate['price'] for plate in plates], list(range(1, 24)))
ids = [plate['id'] for plate in plates[:3]]
raised = api.put('/catalog/products', data=[{'id': id, 'price': 100} for id in ids])
equal([product['price'] for product in raised], [100, 100, 100])
equal([product['id'] for product in client.products_v3.all(params={'id:in': ids, 'price': 100})], ids)

# Metafields, by cursor.
for key in ['bin', 'row', 'shelf']:
    api.post(
        '/catalog/products/1/metafields',
        data={'namespace': 'warehouse', 'key': key, 'value': '4', 'permission_set': 'write'},
    )
metafields = api.get_many('/catalog/products/1/metafields', page_size=2, cursor=True)
equal([metafield['key'] for metafield in metafields], ['bin', 'row', 'shelf'])

# Assignments.
equal(api.put('/catalog/products/category-assignments', data=[{'product_id': 2, 'category_id': 3}]), None)
equal([product['id'] for product in client.products_v3.all(params={'categories:in': [3]})], [2])

# What is refused becomes the right exception, and says why.
conflict = refused(ConflictError, lambda: client.products_v3.create({'name': 'bowl', 'type': 'physical', 'weight': 1, 'price': 1}))
equal(list(conflict.errors), ['name'])
invalid = refused(InvalidDataError, lambda: client.products_v3.update(1, {'price': -1, 'name': ''}))
equal(sorted(invalid.errors), ['name', 'price'])
refused(ConflictError, lambda: client.categories_v3.delete(3))
refused(DoesNotExistError, lambda: client.products_v3.get(99))

# Deletes.
equal(client.product_variants_v3.delete(2, first['id']), None)
equal(client.products_v3.delete(2), None)
refused(DoesNotExistError, lambda: list(client.product_variants_v3.all(2)))
equal(api.delete('/catalog/products', params={'keyword': 'plate'}), None)
equal([product['id'] for product in client.products_v3.all()], [1])
client.categories_v3.delete(3)
equal([category['id'] for category in client.categories_v3.all()], [1, 2])

finish('the catalog')
