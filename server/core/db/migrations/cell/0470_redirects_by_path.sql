-- Look-ups name digests alone. With the site in front, a table without statistics was read by redirects_site: all redirects of a site for each path.
drop index redirects_path_unique;
create unique index redirects_path_unique on redirects (store_id, path_digest, site_id);
