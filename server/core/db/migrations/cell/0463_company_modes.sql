-- The mode of companies (docs/contract/companies.md section 9). Dependent companies have a customer group and price lists of their own.
alter table b2b_settings add column is_dependent boolean not null default false;
-- [{channelId, priceListId}]
alter table companies add column price_lists jsonb not null default '[]';
