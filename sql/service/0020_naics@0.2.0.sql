-- Industries are also classified by NAICS, because the sites' own phrases cannot be grouped.

alter table company add column naics_code text, add column naics_title text;
comment on column company.naics_code is 'Six-digit code of the industry in NAICS 2022';
comment on column company.naics_title is 'Title of the NAICS code';
