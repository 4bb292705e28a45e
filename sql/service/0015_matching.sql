-- Search for companies and firms by name. Search keys are derived from each name and indexed. The service then compares
-- the given name with the names that the index returns.

create function name_words(given text) returns text[] language sql immutable parallel safe strict
return (
  select array_agg(
    case
      when word in ('adviser', 'advisers', 'advisory', 'advisors') then 'advisor'
      when word in ('mgmt', 'mgt', 'mgnt', 'mngt') then 'management'
      when word in ('cap', 'capitol') then 'capital'
      when word in ('assoc', 'assocs', 'assn', 'associates') then 'associate'
      when word in ('intl', 'intnl') then 'international'
      when word in ('natl') then 'national'
      when word in ('grp', 'gp') then 'group'
      when word in ('ptnr', 'ptnrs', 'ptrs') then 'partner'
      when word in ('svc', 'svcs', 'serv') then 'service'
      when word in ('inv', 'invt', 'invs', 'invest', 'invts', 'investing', 'investments') then 'investment'
      when word in ('fin', 'finl', 'fncl') then 'financial'
      when word in ('hldg', 'hldgs') then 'holding'
      when length(word) > 4 then rtrim(word, 's')
      else word
    end order by place)
  from string_to_table(trim(regexp_replace(regexp_replace(regexp_replace(replace(regexp_replace(
      lower(normalize(given, nfkd) collate "default"),
      -- Removes accents, dots and apostrophes without separating words: `L.L.C.` becomes `llc`.
      '[\u0300-\u036f.''\u2018\u2019`"]+', '', 'g'), '&', ' and '),
      '株式会社|有限会社|合同会社|有限公司|股份|주식회사', ' ', 'g'),
      '[\s!-/:-@\[-`{-~\u0080-\u00bf\u2000-\u206f\u3000-\u303f\uff00-\uff0f]+', ' ', 'g'),
      -- Joins initials into one word: `J P Morgan` becomes `jp morgan`.
      '(?<= |^)([a-z0-9]) (?=[a-z0-9]( |$))', '\1', 'g')), ' ') with ordinality as split (word, place)
  where word <> all ('{"",llc,inc,incorporated,corp,corporation,co,company,companies,ltd,limited,lp,llp,lllp,pllc,plc,pc,gmbh,ag,kg,sa,sarl,sas,srl,spa,nv,bv,ab,as,oy,kk,pte,pty,pvt,sdn,bhd,the,and,of}')
);
comment on function name_words(text) is 'Words of a company name in lower case, without accents, legal forms or plural endings, with common abbreviations expanded. Null if no word remains';

create function typo_keys(word text, spelled_length integer) returns text[] language sql immutable parallel safe strict
return case
  when spelled_length < 5 then '{}'::text[]
  when spelled_length < 8 then array[left(word, 3) || '~', '~' || right(word, 3), left(word, 2) || '~' || right(word, 2)]
  else array[left(word, 4) || '~', '~' || right(word, 4)]
end;
comment on function typo_keys(text, integer) is 'Prefix and suffix of a word. Most typos leave the prefix or the suffix unchanged. A typo may add or drop a letter, so the caller passes the length of the correctly spelled word';

create function match_keys(variadic names text[]) returns text[] language plpgsql immutable parallel safe
-- The function is used in an index, and PostgreSQL maintains indexes with an empty search path.
set search_path from current as $$
declare
  words text[];
  word text;
  previous text;
  length integer;
  keys text[] := '{}';
begin
  for place in 1..cardinality(names) loop
    words := name_words(names[place]);
    continue when words is null or names[place] = any (names[:place - 1]);
    keys := keys || ('=' || array_to_string(array(select one from unnest(words) as one order by one collate "C"), ' '));
    previous := '';
    foreach word in array words loop
      keys := keys || word;
      if previous <> '' then
        keys := keys || (previous || word);
      end if;
      length := char_length(word);
      if length > 4 and word <> all ('{capital,management,advisor,partner,investment,financial,wealth,group,service,holding,associate,asset,international,fund,planning,global}') then
        keys := keys || typo_keys(word, length);
      end if;
      previous := word;
    end loop;
  end loop;
  return keys;
end
$$;
comment on function match_keys(text[]) is 'Search keys for one company''s names: `=` followed by all words of a name in alphabetical order, each word, each pair of adjacent words joined, and parts of words, marked with `~`';

create index company_by_match_key on company using gin (match_keys(variadic array[name, legal_name] || former_names));
create index firm_by_match_key on firm using gin (match_keys(variadic array[legal_name, business_name] || former_names)) where gone_as_of is null;
create index firm_by_lei on firm (lei) where gone_as_of is null and lei is not null;
create index firm_by_cik_number on firm (cik_number) where gone_as_of is null and cik_number is not null;

create function match_candidates(given text, maximum integer)
returns table (domain text, crd_number integer) language plpgsql
set enable_seqscan to off set plan_cache_mode to force_generic_plan as $$
declare
  words text[] := name_words(given);
  whole text := '=' || array_to_string(array(select one from unnest(words) as one order by one collate "C"), ' ');
  probe record;
  plan json;
  estimated real;
  found_domains text[];
  found_firms integer[];
  domains text[] := '{}';
  firms integer[] := '{}';
  weights real[] := '{}';
  is_known boolean := false;
begin
  if words is null then
    return;
  end if;
  for probe in
    -- Each probe finds names with all keys in `required` and at least one key in `some`. A probe is skipped if it would
    -- find more than `most_rows` rows. Probes of stage 2 and above run only if no name contains all words of the given
    -- name. These probes find joined words, split words, a missing word, or a word with a typo.
    select * from (
      select 0 as stage, 1 as place, array[whole] as required, '{}'::text[] as some, null::integer as most_rows
      union all
      select 1, 0, words, '{}', null where cardinality(words) > 1
      union all
      select 1, place, array[word], '{}', 300 from unnest(words) with ordinality as each_word (word, place)
      union all
      select 2, place, '{}', array[words[place] || words[place + 1], words[place + 1] || words[place]], 300
      from generate_series(1, cardinality(words) - 1) as place
      union all
      select 2, place, array_remove(words, words[place]), '{}', null from generate_series(1, cardinality(words)) as place
      where cardinality(words) between 3 and 6
      union all
      select 3, place, array_remove(words, word), pieces, case when array_remove(words, word) = '{}' then 1000 end
      from unnest(words) with ordinality as each_word (word, place),
        lateral (select typo_keys(word, length(word) - 1) || typo_keys(word, length(word)) || typo_keys(word, length(word) + 1) as pieces) as typos
      where cardinality(pieces) > 0
      union all
      select 3, place, '{}', typo_keys(words[place], length(words[place])), 300 from generate_series(1, cardinality(words)) as place
      where cardinality(words) = 2
    ) as ordered order by stage, place
    limit 40
  loop
    exit when probe.stage > 1 and is_known;
    estimated := 100;
    if probe.most_rows is not null then
      execute format('explain (format json)
        select from company where match_keys(variadic array[name, legal_name] || former_names) @> %1$L %2$s union all
        select from firm where match_keys(variadic array[legal_name, business_name] || former_names) @> %1$L %3$s and gone_as_of is null',
        probe.required,
        case when probe.some <> '{}' then format('and match_keys(variadic array[name, legal_name] || former_names) && %L', probe.some) end,
        case when probe.some <> '{}' then format('and match_keys(variadic array[legal_name, business_name] || former_names) && %L', probe.some) end
      ) into plan;
      estimated := greatest(1, (plan -> 0 -> 'Plan' ->> 'Plan Rows')::real);
      continue when estimated > probe.most_rows;
    end if;
    if probe.some = '{}' then
      found_domains := array(select company.domain from company
        where match_keys(variadic array[name, legal_name] || former_names) @> probe.required limit 200);
      found_firms := array(select firm.crd_number from firm
        where match_keys(variadic array[legal_name, business_name] || former_names) @> probe.required and gone_as_of is null limit 200);
    else
      found_domains := array(select company.domain from company
        where match_keys(variadic array[name, legal_name] || former_names) @> probe.required
          and match_keys(variadic array[name, legal_name] || former_names) && probe.some limit 200);
      found_firms := array(select firm.crd_number from firm
        where match_keys(variadic array[legal_name, business_name] || former_names) @> probe.required
          and match_keys(variadic array[legal_name, business_name] || former_names) && probe.some and gone_as_of is null limit 200);
    end if;
    is_known := is_known or (probe.required @> words or probe.stage = 0) and cardinality(found_domains) + cardinality(found_firms) > 0;
    domains := domains || found_domains || array_fill(null::text, array[cardinality(found_firms)]);
    firms := firms || array_fill(null::integer, array[cardinality(found_domains)]) || found_firms;
    weights := weights || array_fill((case when probe.required @> words or probe.stage = 0 then 100 else ln(1e7 / estimated) end)::real, array[cardinality(found_domains) + cardinality(found_firms)]);
  end loop;
  return query
    select hit.domain, hit.crd_number
    from (
      select each_hit.domain, each_hit.crd_number, max(each_hit.weight) as weight
      from unnest(domains, firms, weights) as each_hit (domain, crd_number, weight)
      group by each_hit.domain, each_hit.crd_number
    ) as hit
    left join company on company.domain = hit.domain
    left join firm on firm.crd_number = hit.crd_number
    order by hit.weight / 16 + 2 * greatest(0, 
      similarity(coalesce(company.name, firm.business_name), given), similarity(coalesce(company.legal_name, firm.legal_name), given)) desc,
      hit.domain, hit.crd_number
    limit maximum;
end
$$;
comment on function match_candidates(text, integer) is 'Companies and firms whose names share rare keys with the given name, most likely first. Each match is returned as a domain or a CRD number. Typos are considered only if no name contains all words of the given name. A key that many companies share is used only in combination with other keys';

create function keep_former_names() returns trigger language plpgsql as $$
declare
  before text[] := case tg_table_name when 'firm' then array[to_jsonb(old) ->> 'legal_name', to_jsonb(old) ->> 'business_name'] else array[to_jsonb(old) ->> 'name', to_jsonb(old) ->> 'legal_name'] end;
  after text[] := case tg_table_name when 'firm' then array[to_jsonb(new) ->> 'legal_name', to_jsonb(new) ->> 'business_name'] else array[to_jsonb(new) ->> 'name', to_jsonb(new) ->> 'legal_name'] end;
  gone text[];
begin
  -- A name that differs from the new name only in case, punctuation or legal form is not kept as a former name.
  select array_agg(distinct name) into gone from unnest(before) as name
  where name_words(name) is not null and coalesce(after[1], after[2]) is not null
    and not exists (select from unnest(after || coalesce(old.former_names, '{}')) as kept where name_words(kept) = name_words(name));
  if gone is not null then
    new.former_names := (coalesce(old.former_names, '{}') || gone)[1:20];
  end if;
  return new;
end
$$;
comment on function keep_former_names() is 'When an update replaces a name, keeps the replaced name as a former name. Keeps at most 20 former names per company or firm';
create trigger firm_former_names before update on firm for each row
  when (old.legal_name is distinct from new.legal_name or old.business_name is distinct from new.business_name)
  execute function keep_former_names();
create trigger company_former_names before update on company for each row
  when (old.name is distinct from new.name or old.legal_name is distinct from new.legal_name)
  execute function keep_former_names();
