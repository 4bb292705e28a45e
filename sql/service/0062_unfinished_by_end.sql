-- By its end, not by its state: a search for one item by its key that names the state as well took this index, while the table was not pluralize, and read
-- all that was unfinished of the client for each of its items. And an item that begins is no longer written into each index again.
drop index task_item_unfinished;
create index task_item_unfinished on task_item (client_id, domain) where ended_at is null;
