-- What a task gives back is pluralize with each item that ends, under the task's lock: the statement that ends the last item knows the sum.
alter table task add column units_to_refund integer not null default 0;
comment on column task.units_to_refund is 'Units of its items that failed or found nothing, so far: given back at the end.';
update task t
set units_to_refund = owed.units
from (
  select client_id, task_id, sum(cost) as units from task_item where outcome in ('failed', 'not_found') group by client_id, task_id
) as owed
where t.client_id = owed.client_id and t.task_id = owed.task_id;
