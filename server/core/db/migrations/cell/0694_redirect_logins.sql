-- The customer whom a redirect URL logs in: the one who was signed in when the storefront made it. 0 for nobody.
alter table cart_redirect_tokens add column customer_id integer not null default 0;
