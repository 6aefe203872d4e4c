-- The correlation id of the request that an event or a job follows from; the id of a request without one.
alter table events add column correlation_id uuid;
alter table jobs add column correlation_id uuid;
