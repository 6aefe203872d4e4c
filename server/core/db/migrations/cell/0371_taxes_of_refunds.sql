-- The difference that the answer of a tax provider made to the tax of a refund: 0 if none was asked.
alter table order_refunds add column tax_correction amount not null default 0;
