-- The audited object before an action and after it. Null if the action has no single object, or if there was none.
alter table directory.audit add column value_before jsonb;
alter table directory.audit_outcomes add column value_after jsonb;
