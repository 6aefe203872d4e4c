-- The sold gift certificates that a refund has taken back: [{id, amount, status}], so that a declined refund returns them.
alter table order_refunds add column certificates jsonb not null default '[]';
