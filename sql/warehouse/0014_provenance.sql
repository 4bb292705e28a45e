-- Provenance: the source of each field's value, and alternative values from other sources.

create table warehouse.company_provenance (
  domain text collate "C" not null,
  field text collate "C" not null,
  position integer not null,
  value text,
  source text,
  url text,
  observed_at timestamptz,
  method text,
  confidence double precision,
  raw_value text,
  last_changed_at timestamptz not null default now(),
  run_id bigint not null,
  row_hash text not null,
  primary key (domain, field, position)
);
comment on table warehouse.company_provenance is 'Sources of company field values, one row per field and source. Empty unless pipelines.members.provenance is companies or all';
comment on column warehouse.company_provenance.domain is 'Company';
comment on column warehouse.company_provenance.field is 'Name of the field''s column in company';
comment on column warehouse.company_provenance.position is '0 for the winning source, whose value is in `company`; 1 and above for alternatives, highest confidence first';
comment on column warehouse.company_provenance.value is 'Value from this source, as text';
comment on column warehouse.company_provenance.source is 'Source of the value, such as form-adv, website or wikidata';
comment on column warehouse.company_provenance.url is 'URL of the page where the value can be verified';
comment on column warehouse.company_provenance.observed_at is 'Time at which the value was observed';
comment on column warehouse.company_provenance.method is 'Extraction method, such as roster, json-ld or page';
comment on column warehouse.company_provenance.confidence is 'Probability that the value is correct, 0 to 1. For the winning source, the probability takes all sources into account';
comment on column warehouse.company_provenance.raw_value is 'Original value in the source, if the value was normalized';
comment on column warehouse.company_provenance.last_changed_at is 'Time at which the row last changed';
comment on column warehouse.company_provenance.run_id is 'Run that last wrote the row';
comment on column warehouse.company_provenance.row_hash is 'Hash of the values, used to detect changes';

create table warehouse.person_provenance (
  company_domain text collate "C" not null,
  person_key text collate "C" not null,
  field text collate "C" not null,
  position integer not null,
  person_id text,
  email_hash text,
  value text,
  source text,
  url text,
  observed_at timestamptz,
  method text,
  confidence double precision,
  raw_value text,
  last_changed_at timestamptz not null default now(),
  run_id bigint not null,
  row_hash text not null,
  primary key (company_domain, person_key, field, position)
);
comment on table warehouse.person_provenance is 'Sources of field values for current people, one row per field and source. Empty unless pipelines.members.provenance is all';
comment on column warehouse.person_provenance.company_domain is 'Company';
comment on column warehouse.person_provenance.person_key is 'person_key of the row in person';
comment on column warehouse.person_provenance.field is 'Name of the field''s column in person';
comment on column warehouse.person_provenance.position is '0 for the winning source, whose value is in `person`; 1 and above for alternatives, highest confidence first';
comment on column warehouse.person_provenance.person_id is 'Same as person.person_id';
comment on column warehouse.person_provenance.email_hash is 'Same as person.email_hash';
comment on column warehouse.person_provenance.value is 'Value from this source, as text';
comment on column warehouse.person_provenance.source is 'Source of the value';
comment on column warehouse.person_provenance.url is 'URL of the page where the value can be verified';
comment on column warehouse.person_provenance.observed_at is 'Time at which the value was observed';
comment on column warehouse.person_provenance.method is 'Extraction method';
comment on column warehouse.person_provenance.confidence is 'Probability that the value is correct, 0 to 1';
comment on column warehouse.person_provenance.raw_value is 'Original value in the source, if the value was normalized';
comment on column warehouse.person_provenance.last_changed_at is 'Time at which the row last changed';
comment on column warehouse.person_provenance.run_id is 'Run that last wrote the row';
comment on column warehouse.person_provenance.row_hash is 'Hash of the values, used to detect changes';

create view warehouse.company_evidence as
select winner.domain, company.name as company_name, winner.field, winner.value, winner.source, winner.url, winner.observed_at, winner.method, winner.confidence,
  (select count(*)::integer from warehouse.company_provenance as other where other.domain = winner.domain and other.field = winner.field and other.position > 0) as alternatives,
  rival.value as rival_value, rival.source as rival_source, rival.confidence as rival_confidence,
  case when winner.confidence < 0.6 then 'low confidence' when rival.confidence >= winner.confidence - 0.1 then 'sources disagree' end as doubt
from warehouse.company_provenance as winner
join warehouse.company on company.domain = winner.domain and company.gone_at is null
left join lateral (
  select other.value, other.source, other.confidence from warehouse.company_provenance as other
  where other.domain = winner.domain and other.field = winner.field and other.position > 0 and other.source <> winner.source
    and warehouse.plain_text(other.value) <> warehouse.plain_text(winner.value)
  order by other.confidence desc nulls last, other.position limit 1
) as rival on true
where winner.position = 0;
comment on view warehouse.company_evidence is 'Field values of companies on the target account list, one row per field, with the winning source and the highest-confidence conflicting value from another source. Values that differ only in case and punctuation are considered equal';
comment on column warehouse.company_evidence.domain is 'Company';
comment on column warehouse.company_evidence.company_name is 'Display name of the company';
comment on column warehouse.company_evidence.field is 'Name of the field''s column in company';
comment on column warehouse.company_evidence.value is 'Value of the field, as text';
comment on column warehouse.company_evidence.source is 'Winning source';
comment on column warehouse.company_evidence.url is 'URL of the page where the value can be verified';
comment on column warehouse.company_evidence.observed_at is 'Time at which the value was observed';
comment on column warehouse.company_evidence.method is 'Extraction method';
comment on column warehouse.company_evidence.confidence is 'Probability that the value is correct, 0 to 1';
comment on column warehouse.company_evidence.alternatives is 'Number of values from other sources';
comment on column warehouse.company_evidence.rival_value is 'Highest-confidence conflicting value from another source. Null if the sources agree';
comment on column warehouse.company_evidence.rival_source is 'Source of the conflicting value';
comment on column warehouse.company_evidence.rival_confidence is 'Probability that the conflicting value is correct, 0 to 1';
comment on column warehouse.company_evidence.doubt is 'Reason the value is doubtful: low confidence (below 0.6) or sources disagree (the conflicting value''s confidence is at most 0.1 lower). Null if the value is not doubtful';

create view warehouse.person_evidence as
select winner.company_domain as domain, winner.person_key, person.full_name, winner.field, winner.value, winner.source, winner.url, winner.observed_at, winner.method,
  winner.confidence,
  (select count(*)::integer from warehouse.person_provenance as other
    where other.company_domain = winner.company_domain and other.person_key = winner.person_key and other.field = winner.field and other.position > 0) as alternatives,
  rival.value as rival_value, rival.source as rival_source, rival.confidence as rival_confidence,
  case when winner.confidence < 0.6 then 'low confidence' when rival.confidence >= winner.confidence - 0.1 then 'sources disagree' end as doubt
from warehouse.person_provenance as winner
join warehouse.person on person.company_domain = winner.company_domain and person.person_key = winner.person_key
left join lateral (
  select other.value, other.source, other.confidence from warehouse.person_provenance as other
  where other.company_domain = winner.company_domain and other.person_key = winner.person_key and other.field = winner.field and other.position > 0
    and other.source <> winner.source and warehouse.plain_text(other.value) <> warehouse.plain_text(winner.value)
  order by other.confidence desc nulls last, other.position limit 1
) as rival on true
where winner.position = 0;
comment on view warehouse.person_evidence is 'Field values of current people, one row per field, with the winning source and the highest-confidence conflicting value from another source. Values that differ only in case and punctuation are considered equal';
comment on column warehouse.person_evidence.domain is 'Company';
comment on column warehouse.person_evidence.person_key is 'person_key of the row in person';
comment on column warehouse.person_evidence.full_name is 'Full name';
comment on column warehouse.person_evidence.field is 'Name of the field''s column in person';
comment on column warehouse.person_evidence.value is 'Value of the field, as text';
comment on column warehouse.person_evidence.source is 'Winning source';
comment on column warehouse.person_evidence.url is 'URL of the page where the value can be verified';
comment on column warehouse.person_evidence.observed_at is 'Time at which the value was observed';
comment on column warehouse.person_evidence.method is 'Extraction method';
comment on column warehouse.person_evidence.confidence is 'Probability that the value is correct, 0 to 1';
comment on column warehouse.person_evidence.alternatives is 'Number of values from other sources';
comment on column warehouse.person_evidence.rival_value is 'Highest-confidence conflicting value from another source. Null if the sources agree';
comment on column warehouse.person_evidence.rival_source is 'Source of the conflicting value';
comment on column warehouse.person_evidence.rival_confidence is 'Probability that the conflicting value is correct, 0 to 1';
comment on column warehouse.person_evidence.doubt is 'Reason the value is doubtful: low confidence (below 0.6) or sources disagree (the conflicting value''s confidence is at most 0.1 lower). Null if the value is not doubtful';

create view warehouse.doubtful_value as
select domain, null::text as person_key, null::text as full_name, field, value, source, confidence, rival_value, rival_source, rival_confidence, doubt
from warehouse.company_evidence where doubt is not null
union all
select domain, person_key, full_name, field, value, source, confidence, rival_value, rival_source, rival_confidence, doubt
from warehouse.person_evidence where doubt is not null;
comment on view warehouse.doubtful_value is 'Doubtful field values of companies and current people. Join with `tal_attribute` to select key accounts';
comment on column warehouse.doubtful_value.domain is 'Company';
comment on column warehouse.doubtful_value.person_key is 'Person. Null for a company field';
comment on column warehouse.doubtful_value.full_name is 'Name of the person. Null for a company field';
comment on column warehouse.doubtful_value.field is 'Field';
comment on column warehouse.doubtful_value.value is 'Value of the field, as text';
comment on column warehouse.doubtful_value.source is 'Winning source';
comment on column warehouse.doubtful_value.confidence is 'Probability that the value is correct, 0 to 1';
comment on column warehouse.doubtful_value.rival_value is 'Highest-confidence conflicting value from another source';
comment on column warehouse.doubtful_value.rival_source is 'Source of the conflicting value';
comment on column warehouse.doubtful_value.rival_confidence is 'Probability that the conflicting value is correct, 0 to 1';
comment on column warehouse.doubtful_value.doubt is 'low confidence or sources disagree, as in company_evidence';
