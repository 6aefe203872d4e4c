-- Messages of quotes (docs/contract/b2b-quotes.md section 10): their writers, the messages that each side has read, and the time of the
-- last mail about them.
alter table b2b_quotes
  add column read_by_buyer int not null default 0,
  add column read_by_seller int not null default 0,
  add column buyer_mailed_at timestamptz(0),
  add column seller_mailed_at timestamptz(0);
update b2b_quotes set history = (
  select jsonb_agg(message || jsonb_build_object('by', case message ->> 'role' when 'Buyer' then 'buyer' else 'seller' end) order by position)
  from jsonb_array_elements(history) with ordinality as messages (message, position)
) where history <> '[]';
-- Quotes of customers without a company.
create index b2b_quotes_customer on b2b_quotes (store_id, customer_id, updated_at, id) where company_id = 0;
-- Quotes of single users.
create index b2b_quotes_user on b2b_quotes (store_id, user_id, updated_at, id) where user_id <> 0;
