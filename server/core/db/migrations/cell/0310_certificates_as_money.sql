-- Changes of a balance are numbered for each certificate, so that payments with different certificates don't wait for each other.
alter table gift_certificates add column changes int not null default 0;
alter table gift_certificate_changes add column version int;
-- The owner of the tables may be one who sees no rows behind their policies.
alter table gift_certificates no force row level security;
alter table gift_certificate_changes no force row level security;
alter table counters no force row level security;
update gift_certificate_changes change set version = numbered.version
from (
  select store_id, id, row_number() over (partition by store_id, certificate_id order by id) as version from gift_certificate_changes
) numbered
where numbered.store_id = change.store_id and numbered.id = change.id;
update gift_certificates set changes = counted.changes
from (select store_id, certificate_id, count(*) as changes from gift_certificate_changes group by store_id, certificate_id) counted
where counted.store_id = gift_certificates.store_id and counted.certificate_id = gift_certificates.id;
alter table gift_certificate_changes alter column version set not null;
alter table gift_certificate_changes drop constraint gift_certificate_changes_pkey;
drop index gift_certificate_changes_certificate;
alter table gift_certificate_changes drop column id;
alter table gift_certificate_changes add primary key (store_id, certificate_id, version);
delete from counters where resource = 'gift_certificate_changes';
alter table gift_certificates force row level security;
alter table gift_certificate_changes force row level security;
alter table counters force row level security;

-- Refunds read which certificates have paid an order.
create index gift_certificate_changes_order on gift_certificate_changes (store_id, order_id, certificate_id) where order_id > 0;
-- Payment methods ask whether any certificate of a currency could pay.
create index gift_certificates_with_balance on gift_certificates (store_id, currency_code) where status = 'active' and balance > 0;
