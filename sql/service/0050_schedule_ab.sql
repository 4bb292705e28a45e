-- Owners and executive officers of firms, from Schedules A and B of the latest Form ADV filing that has them.
create table firm_schedule_filing (
  crd_number integer not null,
  filing_id bigint not null,
  submitted_at timestamp not null,
  file text not null,
  constraint firm_schedule_filing_pkey primary key (crd_number)
);
comment on table firm_schedule_filing is 'The filing that a firm''s owners were taken from: of all imported ones the latest';
comment on column firm_schedule_filing.crd_number is 'The firm''s CRD number';
comment on column firm_schedule_filing.filing_id is 'FilingID of the SEC''s files';
comment on column firm_schedule_filing.submitted_at is 'When it was submitted, local time of the filing system';
comment on column firm_schedule_filing.file is 'Name of the zip that it was read from';

create table firm_owner (
  crd_number integer not null,
  position integer not null,
  schedule text not null,
  full_legal_name text not null,
  owner_type text not null,
  entity_in_which text,
  title text,
  status_acquired text,
  ownership_code text,
  control_person boolean,
  public_reporting boolean,
  owner_id text,
  constraint firm_owner_pkey primary key (crd_number, position),
  constraint schedule_is_a_or_b check (schedule in ('A', 'B')),
  constraint owner_is_individual_or_entity check (owner_type in ('I', 'DE', 'FE'))
);
comment on table firm_owner is 'Direct owners and executive officers (Schedule A) and indirect owners (Schedule B) of a firm, as filed';
comment on column firm_owner.crd_number is 'The firm''s CRD number';
comment on column firm_owner.position is 'Place in the filing, from 1';
comment on column firm_owner.schedule is 'A: direct owners and executive officers; B: indirect owners';
comment on column firm_owner.full_legal_name is 'As filed: LAST, FIRST, MIDDLE for a natural person';
comment on column firm_owner.owner_type is 'I: natural person; DE: domestic entity; FE: foreign entity';
comment on column firm_owner.entity_in_which is 'Schedule B: the entity in which the interest is owned';
comment on column firm_owner.title is 'Title or status, as filed';
comment on column firm_owner.status_acquired is 'Month in which the title or status was acquired, as filed';
comment on column firm_owner.ownership_code is 'Schedule A: NA below 5 %, A 5-10, B 10-25, C 25-50, D 50-75, E 75 and more; Schedule B: C, D, E, or F for another interest';
comment on column firm_owner.control_person is 'Does this person control the firm?';
comment on column firm_owner.public_reporting is 'Is the owner a public reporting company?';
comment on column firm_owner.owner_id is 'CRD number or another identifier of the owner, as filed';
