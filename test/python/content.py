"""A public Python client uses pages, blog posts, redirects and countries (started by test/python-client.ts)."""

from bigc.exceptions import ConflictError, DoesNotExistError, InvalidDataError

from server import api, client, equal, finish, refused

v2 = client.api_v2

# Blog posts: a PUT without is_published takes a post offline.
post = {'title': 'Spring', 'body': '<p>Cups</p>', 'tags': ['News'], 'is_published': True}
equal(v2.post('/blog/posts', data=post), {**post, 'id': 1, 'url': '/blog/spring/', 'summary': 'Cups'})
equal([found['id'] for found in v2.get_many('/blog/posts', params={'tag': 'news'})], [1])
equal(v2.put('/blog/posts/1', data={'title': 'Summer'}), {'title': 'Summer', 'is_published': False})
equal(v2.get('/blog/posts/count'), {'count': 1})
equal(v2.get('/blog/tags'), [{'tag': 'News', 'post_ids': [1]}])

# Pages of both families are the same rows; the blog page has the id 1.
page = {'type': 'page', 'name': 'Returns', 'body': '<p>30 days</p>'}
equal(v2.post('/pages', data=page), {**page, 'id': 2, 'url': '/returns/'})
refused(ConflictError, lambda: v2.post('/pages', data={**page, 'name': 'returns'}))
equal([found['id'] for found in api.get_many('/content/pages')], [1, 2])
equal(api.put('/content/pages/2', data={'parent_id': 1}), {'parent_id': 1})
refused(InvalidDataError, lambda: api.put('/content/pages/2', data={'parent_id': 2}))
equal(v2.get('/pages/count'), {'count': 1})

# Redirects lead to posts, and are deleted with them.
redirect = {'path': '/old', 'forward': {'type': 'post', 'ref': 1}}
equal(v2.post('/redirects', data=redirect), {**redirect, 'id': 1})
refused(ConflictError, lambda: v2.post('/redirects', data=redirect))
equal(v2.delete('/blog/posts/1'), None)
refused(DoesNotExistError, lambda: v2.get('/redirects/1'))
equal(list(v2.get_many('/blog/posts')), [])
equal(v2.delete('/pages/2'), None)

# Countries with their states.
equal(v2.get('/countries/13'), {'country': 'Australia', 'country_iso2': 'AU', 'country_iso3': 'AUS'})
equal([found['id'] for found in v2.get_many('/countries', params={'country_iso2': 'US'})], [226])
states = list(v2.get_many('/countries/226/states'))
equal(states[0], {'id': 1, 'state': 'Alabama', 'state_abbreviation': 'AL', 'country_id': 226})
equal(list(v2.get_many('/countries/3/states')), [])

finish('content')
