-- The size of the parts of a promotion that have no small bound: a page of promotions has a maximum.
alter table promotions add column bytes int not null default 0;
update promotions set bytes = octet_length(rules::text) + octet_length(notifications::text) + octet_length(customer::text);
