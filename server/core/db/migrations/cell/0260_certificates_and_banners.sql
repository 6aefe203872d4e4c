-- Gift certificates: money of a store that whoever knows the code may spend.
create table gift_certificates (
  store_id int not null,
  id int not null,
  code text not null,
  code_key text collate "C" not null,
  status text collate "C" not null,
  -- 0 for a certificate of nobody, or of no order.
  customer_id int not null,
  order_id int not null,
  to_name text not null,
  to_name_key text collate "C" not null,
  to_email text not null,
  to_email_key text collate "C" not null,
  from_name text not null,
  from_name_key text collate "C" not null,
  from_email text not null,
  from_email_key text collate "C" not null,
  amount amount not null,
  balance amount not null,
  currency_code text collate "C" not null,
  purchase_date timestamptz not null,
  expiry_date timestamptz,
  template text collate "C" not null,
  message text not null,
  primary key (store_id, id)
);
create unique index gift_certificates_code_unique on gift_certificates (store_id, code_key);
create index gift_certificates_order on gift_certificates (store_id, order_id, id);
create index gift_certificates_to_name on gift_certificates (store_id, to_name_key, id);
create index gift_certificates_to_email on gift_certificates (store_id, to_email_key, id);
create index gift_certificates_from_name on gift_certificates (store_id, from_name_key, id);
create index gift_certificates_from_email on gift_certificates (store_id, from_email_key, id);

-- Each change of a balance. The changes of a certificate add up to its balance.
create table gift_certificate_changes (
  store_id int not null,
  id int not null,
  certificate_id int not null,
  -- Negative for a payment.
  change numeric(15, 4) not null,
  balance amount not null,
  cause text collate "C" not null,
  -- 0 if no order caused it.
  order_id int not null,
  changed_at timestamptz not null,
  primary key (store_id, id)
);
create index gift_certificate_changes_certificate on gift_certificate_changes (store_id, certificate_id, id);

create table banners (
  store_id int not null,
  id int not null,
  name text not null,
  content text not null,
  page text collate "C" not null,
  location text collate "C" not null,
  date_type text collate "C" not null,
  date_from timestamptz,
  date_to timestamptz,
  visible boolean not null,
  -- The category or brand of the page; 0 for pages without one.
  item_id int not null,
  date_created timestamptz not null,
  primary key (store_id, id)
);

alter table gift_certificates enable row level security, force row level security;
alter table gift_certificate_changes enable row level security, force row level security;
alter table banners enable row level security, force row level security;
create policy wall on gift_certificates to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
create policy wall on gift_certificate_changes to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
create policy wall on banners to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
grant select, insert, update, delete on gift_certificates, gift_certificate_changes, banners to storeward;
