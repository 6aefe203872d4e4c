-- Carts are identified by uuids. A metafield has either the number or the uuid of its resource.
alter table metafields
  alter column resource_id drop not null,
  add column resource_uuid text collate "C",
  add constraint metafields_resource check ((resource_id is null) <> (resource_uuid is null));
create unique index metafields_uuid_unique on metafields (store_id, resource_uuid, owner_client_id, namespace, key)
  where resource_uuid is not null;
create index metafields_uuid_owner on metafields (store_id, resource_uuid, id) where resource_uuid is not null;
