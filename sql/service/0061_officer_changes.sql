-- Imports of Schedules A and B keep the officers before and after as a change of the firm.
comment on table firm_change is 'What changed from one roster or filing to the next, field by field: with the present values, every earlier state.';
comment on column firm_change.field is 'A typed field''s name, the heading of another column, schedule_a_officers: the natural persons of Schedule A, or gone: whether the firm had left';
comment on column firm_change.as_of is 'Day of the roster, or of the filing, that had the new value';
