-- The e-mail address of the person who sent the request with an access token of the console.
alter table request_log.lines add column person text;
