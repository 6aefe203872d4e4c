-- The tax classes of shipping, handling and wrapping, as far as the operator has set them.
alter table tax_settings add column cost_classes jsonb not null default '{}';
