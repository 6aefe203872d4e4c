"""A public Python client creates coupons, gift certificates and banners (started by test/python-client.ts)."""

from bigc.exceptions import ConflictError, DoesNotExistError

from server import client, equal, finish, refused

v2 = client.api_v2

# Coupons: a taken code is refused, and a PUT without applies_to clears it.
coupon = {
    'name': 'Five off',
    'code': 'FIVE',
    'type': 'per_total_discount',
    'amount': '5.0000',
    'applies_to': {'entity': 'categories', 'ids': [0]},
}
equal(v2.post('/coupons', data=coupon), {**coupon, 'id': 1, 'enabled': True, 'num_uses': 0})
refused(ConflictError, lambda: v2.post('/coupons', data={**coupon, 'name': 'Other', 'code': 'five'}))
equal(v2.put('/coupons/1', data={'enabled': False}), {'enabled': False, 'applies_to': {}})
equal(v2.get('/coupons/count'), {'count': 1})
equal([found['code'] for found in v2.get_many('/coupons')], ['FIVE'])
equal(v2.delete('/coupons/1'), None)
refused(DoesNotExistError, lambda: v2.get('/coupons/1'))

# Gift certificates: their code and balance.
certificate = {
    'to_name': 'Mia',
    'to_email': 'mia@example.com',
    'from_name': 'Ann',
    'from_email': 'ann@example.com',
    'amount': '50.0000',
    'code': 'GIFT-1',
}
equal(v2.post('/gift_certificates', data=certificate), {**certificate, 'id': 1, 'balance': '50.0000', 'status': 'active'})
equal(v2.put('/gift_certificates/1', data={'balance': 20}), {'balance': '20.0000', 'amount': '50.0000'})
equal([found['id'] for found in v2.get_many('/gift_certificates', params={'code': 'GIFT-1'})], [1])

# Banners.
banner = {'name': 'Sale', 'content': '<b>Sale</b>', 'page': 'home_page', 'location': 'top', 'date_type': 'always'}
equal(v2.post('/banners', data=banner), {**banner, 'id': 1, 'visible': '1'})
equal(v2.put('/banners/1', data={'visible': '0'}), {'visible': '0'})
equal(v2.delete('/banners'), None)
equal(list(v2.get_many('/banners')), [])

finish('marketing')
