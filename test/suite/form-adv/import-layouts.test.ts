import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { ImportBench } from '../../helpers/roster-files.ts'
import { csv, firmCells, importBench, LAYOUTS, zip } from '../../helpers/roster-files.ts'

let bench: ImportBench
beforeAll(async () => {
  bench = await importBench()
})
beforeEach(() => bench.clear())
afterAll(() => bench[Symbol.asyncDispose]())

const firms = () => bench.service.db.selectFrom('firm').selectAll().orderBy('crd_number').execute()
const changes = () =>
  bench.service.db
    .selectFrom('firm_change')
    .select(['crd_number', 'field', 'old_value', 'new_value', 'as_of'])
    .orderBy('as_of')
    .orderBy('field')
    .execute()

describe('reads every roster layout', () => {
  it.each(Object.entries(LAYOUTS))('reads the roster layout: %s', async (name, layout) => {
    const exempt = name.startsWith('exempt')
    const own = { 'SEC#': exempt ? '802-77' : '801-77', 'Firm Type': exempt ? 'ERA' : 'Registered' }
    const report = await bench.take(`${name}.csv`, csv(layout, [firmCells(7, own)]))
    expect(report).toMatchObject({
      rows: 1,
      new: 1,
      quarantined: 0,
      layout: expect.stringContaining(`${layout.length} columns`),
    })
    expect(await firms()).toMatchObject([
      {
        crd_number: 1007,
        firm_type: exempt ? 'exempt' : 'registered',
        legal_name: 'EXAMPLE 7 LLC',
        website: 'http://www.example7.example',
        website_domain: 'example7.example',
        form_version: '10/2021',
        employee_count: exempt ? null : 7,
        aum_total_usd: exempt ? null : 1_234_567.89,
        as_of: '2022-03-04',
      },
    ])
  })

  it('reads the |-separated roster text of 2006 to 2008 with joined addresses and trailing delimiters', async () => {
    const text =
      'SEC Region Name|Organization CRD #|SEC #|Primary Business Name|Legal Name|City, State, Postal Code|\r\n' +
      'NYRO|   146|801-  123|"ACME" & SONS|ACME & SONS INC|BUFFALO, NY 14201|\r\n' +
      'HQ|   147|801-124|FAR AWAY|FAR AWAY LTD|LONDON|\r\n'
    const report = await bench.take('ia060506.zip', await zip({ '2199190.txt': text }))
    expect(report).toMatchObject({ rows: 2, new: 2, quarantined: 0, as_of: '2006-06-05' })
    expect(await firms()).toMatchObject([
      {
        crd_number: 146,
        sec_number: '801-123',
        business_name: '"ACME" & SONS',
        city: 'BUFFALO',
        state: 'NY',
        postal_code: '14201',
      },
      { crd_number: 147, city: 'LONDON', state: null },
    ])
  })

  it('reads roster columns in another order, and ignores unknown columns', async () => {
    const layout = ['New Column', ...[...LAYOUTS['registered-262']].reverse()]
    expect(await bench.take('a.csv', csv(layout, [firmCells(1, { 'New Column': 'kept' })]))).toMatchObject({ new: 1 })
    expect((await firms())[0]).toMatchObject({ crd_number: 1001, items: { 'New Column': 'kept', '8C(1)': 'Y' } })
  })

  it('reads rosters in UTF-8 with and without byte order mark, and in Windows-1252', async () => {
    const of = (index: number) => csv(LAYOUTS['registered-262'], [firmCells(index, { 'Legal Name': 'SANTÉ' })])
    expect(await bench.take('mark.csv', `\ufeff${of(1)}`)).toMatchObject({ encoding: 'utf-8' })
    expect(await bench.take('old.csv', Buffer.from(of(1), 'latin1'))).toMatchObject({
      encoding: 'windows-1252',
      unchanged: 1,
    })
    expect((await firms())[0]?.legal_name).toBe('SANTÉ')
  })
})

describe('importing successive rosters', () => {
  const layout = LAYOUTS['registered-262']
  const ten = Array.from({ length: 20 }, (_, index) => firmCells(index))

  it('records changes between rosters with their date, and importing a file again changes nothing', async () => {
    const before = csv(layout, ten)
    const later = csv(
      layout,
      ten.map((cells, index) =>
        index === 3 ? { ...cells, '5A': '99', '8C(1)': 'N', 'Latest ADV Filing Date': '4/5/2022' } : cells,
      ),
    )
    await bench.take('before.csv', before)
    expect(await bench.take('later.csv', later)).toMatchObject({ changed: 1, unchanged: 19, new: 0, gone: 0 })
    const told = [
      { crd_number: 1003, field: '8C(1)', old_value: 'Y', new_value: 'N', as_of: '2022-04-05' },
      { crd_number: 1003, field: 'employee_count', old_value: 3, new_value: 99, as_of: '2022-04-05' },
      {
        crd_number: 1003,
        field: 'latest_filing_date',
        old_value: '2022-03-04',
        new_value: '2022-04-05',
        as_of: '2022-04-05',
      },
    ]
    expect(await changes()).toEqual(told)
    expect(await bench.take('later.csv', later)).toMatchObject({ changed: 0, unchanged: 20 })
    expect(await bench.take('before.csv', before)).toMatchObject({ changed: 0, unchanged: 20 })
    expect(await changes()).toEqual(told)
  })

  it('rejects a roster older than the imported data', async () => {
    await bench.take(
      'new.csv',
      csv(
        layout,
        ten.map((cells) => ({ ...cells, 'Latest ADV Filing Date': '4/5/2022' })),
      ),
    )
    await expect(bench.take('old.csv', csv(layout, ten))).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('in date order'),
    })
  })

  it('keeps the values of fields that are missing from a roster layout', async () => {
    await bench.take('wide.csv', csv(layout, ten))
    const narrow = ['SEC#', 'Organization CRD#', 'Legal Name', 'Latest ADV Filing Date', '5A']
    expect(
      await bench.take(
        'narrow.csv',
        csv(
          narrow,
          ten.map((cells) => ({ ...cells, '5A': '5' })),
        ),
      ),
    ).toMatchObject({ changed: 19, unchanged: 1 })
    expect((await firms())[2]).toMatchObject({
      employee_count: 5,
      aum_total_usd: 1_234_567.89,
      city: 'SPRINGFIELD',
      items: { '8C(1)': 'Y' },
    })
  })

  it('records the dates on which firms are gone and return', async () => {
    const day = (date: string) => ten.map((cells) => ({ ...cells, 'Latest ADV Filing Date': date }))
    await bench.take('1.csv', csv(layout, day('1/1/2022')))
    expect(await bench.take('2.csv', csv(layout, day('2/1/2022').slice(1)))).toMatchObject({
      gone: 1,
      gone_unconfirmed: 0,
    })
    expect(await bench.take('3.csv', csv(layout, day('3/1/2022')))).toMatchObject({ returned: 1, gone: 0 })
    expect((await changes()).filter(({ field }) => field === 'gone')).toEqual([
      { crd_number: 1000, field: 'gone', old_value: false, new_value: true, as_of: '2022-02-01' },
      { crd_number: 1000, field: 'gone', old_value: true, new_value: false, as_of: '2022-03-01' },
    ])
  })

  it('marks no firm as gone if too many are missing, unless --allow-gone permits it', async () => {
    await bench.take('all.csv', csv(layout, ten))
    const few = csv(layout, ten.slice(0, 5))
    expect(await bench.take('few.csv', few)).toMatchObject({
      gone: 0,
      gone_unconfirmed: 15,
      gone_unconfirmed_reason: expect.stringContaining('15 of 20'),
    })
    expect(await bench.take('few.csv', few, { allowGoneShare: 0.8 })).toMatchObject({ gone: 15, gone_unconfirmed: 0 })
  })

  it('marks no firm as gone if the last line is not terminated', async () => {
    await bench.take('all.csv', csv(layout, ten))
    expect(await bench.take('few.csv', csv(layout, ten.slice(1)).trimEnd())).toMatchObject({
      gone: 0,
      gone_unconfirmed: 1,
    })
  })

  it('treats registered and exempt firms as separate rosters', async () => {
    await bench.take('registered.csv', csv(layout, ten))
    const exempt = csv(LAYOUTS['exempt-171'], [firmCells(500, { 'SEC#': '802-1', 'Firm Type': 'ERA' })])
    expect(await bench.take('exempt.csv', exempt)).toMatchObject({ new: 1, gone: 0, gone_unconfirmed: 0 })
  })

  it('accepts an SEC number that moves from a gone firm to a new one', async () => {
    await bench.take('1.csv', csv(layout, ten))
    const heir = firmCells(300, { 'SEC#': '801-5000' })
    expect(await bench.take('2.csv', csv(layout, [...ten.slice(1), heir]))).toMatchObject({
      new: 1,
      gone: 1,
      quarantined: 0,
    })
  })
})

describe('the daily feed', () => {
  const firm = (crd: string, more = '') =>
    `<Firm><Info SECRgnCD="NYRO" ${crd} SECNb="801-135399" BusNm="EXAMPLE &amp; SONS" LegalNm="EXAMPLE LÉGAL" UmbrRgstn="N"/>
     <MainAddr City="WILLIAMSVILLE" State="NY" Cntry="United States"/><MailingAddr/>
     <Rgstn FirmType="Registered" St="APPROVED" Dt="2026-02-24"/>
     <NoticeFiled><States RgltrCd="NY" St="FILED" Dt="2026-02-24"/><States RgltrCd="CA" St="FILED" Dt="2026-03-01"/></NoticeFiled>
     <Filing Dt="2026-03-04" FormVrsn="10/2021"/>
     <FormInfo><Part1A><Item1 Q1F5="0" Q1I="Y" Q1O="N" Q1P=""><WebAddrs>
       <WebAddr>HTTPS://WWW.LINKEDIN.COM/COMPANY/EXAMPLE</WebAddr><WebAddr>HTTP://WWW.SONS.EXAMPLE</WebAddr></WebAddrs></Item1>
     <Item3A OrgFormNm="Corporation"/><Item5A TtlEmp="4"/><Item5D Q5DA1="73"/><Item5F Q5F2C="35557038"/><Item11 Q11="N"/>${more}</Part1A></FormInfo></Firm>`
  const feed = (...all: string[]) =>
    Buffer.from(
      `<?xml version="1.0" encoding="ISO-8859-1"?><IAPDFirmSECReport GenOn="2026-07-23"><Firms>${all.join('')}</Firms></IAPDFirmSECReport>`,
      'latin1',
    )

  it('imports the daily feed like a roster, with all web addresses', async () => {
    expect(
      await bench.take('IA_FIRM_SEC_Feed_07_23_2026.xml.gz', gzipSync(feed(firm('FirmCrdNb="283882"')))),
    ).toMatchObject({ new: 1, as_of: '2026-03-04' })
    expect(await firms()).toMatchObject([
      {
        crd_number: 283_882,
        business_name: 'EXAMPLE & SONS',
        legal_name: 'EXAMPLE LÉGAL',
        sec_status: 'Approved',
        sec_status_date: '2026-02-24',
        notice_states: ['CA', 'NY'],
        website: 'http://www.sons.example',
        website_domain: 'sons.example',
        social_url: 'https://www.linkedin.com/company/example',
        website_count: 2,
        employee_count: 4,
        aum_total_usd: 35_557_038,
        own_assets_over_1bn: false,
        items: { '5D(a)(1)': '73', 'Jurisdiction Notice Filed-Effective Date': 'CA-03/01/2026, NY-02/24/2026' },
      },
    ])
  })

  it('imports the same values from the daily feed as from a roster of the same date', async () => {
    const layout = LAYOUTS['registered-448']
    await bench.take('feed.xml', feed(firm('FirmCrdNb="283882"')))
    const [known] = await firms()
    const cells = {
      'SEC Region': 'NYRO',
      'Organization CRD#': '283882',
      'SEC#': '801-135399',
      'Firm Type': 'Registered',
      'Umbrella Registration': 'N',
      'Primary Business Name': 'EXAMPLE & SONS',
      'Legal Name': 'EXAMPLE LÉGAL',
      'Main Office City': 'WILLIAMSVILLE',
      'Main Office State': 'NY',
      'Main Office Country': 'United States',
      'SEC Current Status': 'Approved',
      'SEC Status Effective Date': '2/24/2026',
      'Jurisdiction Notice Filed-Effective Date': '"CA-03/01/2026, NY-02/24/2026"',
      'Latest ADV Filing Date': '3/4/2026',
      'Form Version': 'Oct-21',
      '1I': 'Y',
      '1O': 'N',
      '3A': 'Corporation',
      '5A': '4',
      '5D(a)(1)': '73',
      '5F(2)(c)': '"   35,557,038.00"',
      '11': 'N',
      'Total number of offices, other than your Principal Office and place of business': '0',
      'Total Number of Website Addresses': '2',
      'Website Address': 'HTTP://WWW.SONS.EXAMPLE',
    }
    expect(await bench.take('roster.csv', csv(layout, [cells]))).toMatchObject({ changed: 1 })
    expect((await changes()).map(({ field }) => field)).toEqual(['Website Address', 'social_url'])
    expect((await firms())[0]).toMatchObject({ aum_total_usd: known?.aum_total_usd })
  })

  it('quarantines a firm in the daily feed without a CRD number and imports the others', async () => {
    expect(await bench.take('feed.xml', feed(firm(''), firm('FirmCrdNb="5"')))).toMatchObject({
      rows: 2,
      new: 1,
      quarantined: 1,
    })
    expect(await bench.quarantine()).toMatchObject([{ line: 1, reason: 'has no CRD number' }])
  })

  it.each([
    ['truncated', feed(firm('FirmCrdNb="5"')).subarray(0, -60), /truncated/],
    ['of state firms', '<?xml version="1.0"?><IAPDFirmStateReport><Firms/></IAPDFirmStateReport>', /state-registered/],
    ['of individuals', '<IAPDIndividualReport GenOn="x"><Indvls/></IAPDIndividualReport>', /individuals/],
    ['without firms', feed(), /contains no firms/],
  ])('refuses a daily feed that is %s', async (_, content, message) => {
    await expect(bench.take('feed.xml', content)).rejects.toMatchObject({
      code: 'bad_input',
      message: expect.stringMatching(message),
    })
    expect(await firms()).toEqual([])
  })
})
