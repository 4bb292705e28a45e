/**
 * Forms of cardinals in which sites state headcounts and which n2words does not have, such as `zu neunt`, `met z'n
 * zessen` and `třiadvacet`, and the cardinals of languages that n2words does not have.
 */

/** Returns further forms of a cardinal. `word` is the form of n2words, if it has the language. */
type Forms = (value: number, word: string) => string[]

const split = (text: string): string[] => text.split(' ')
const tensOf = (value: number): number => Math.floor(value / 10)

/** Builds the numbers to 99 from ones (0 to 19) and tens (20 to 90). */
const composed =
  (ones: readonly string[], tens: readonly string[], join: (ten: string, one: string) => string): Forms =>
  (value) => {
    if (value > 99) return []
    const one = ones[value < 20 ? value : value % 10] ?? ''
    const ten = tens[tensOf(value) - 2] ?? ''
    return [value < 20 ? one : value % 10 === 0 ? ten : join(ten, one)]
  }

/** Replaces the end of a word by the first entry that matches. */
const ending =
  (...ends: [end: string, other: string][]): Forms =>
  (_, word) => {
    const found = ends.find(([end]) => word.endsWith(end))
    return found ? [word.slice(0, word.length - found[0].length) + found[1]] : []
  }

const german: Forms = (value, word) =>
  value > 99 ? [] : [{ 3: 'dritt', 7: 'siebt', 8: 'acht' }[value] ?? `${word}${value < 20 ? 't' : 'st'}`]

const dutch: Forms = (_, word) => [
  ...ending(['vijf', 'vijven'], ['zes', 'zessen'], ['elf', 'elven'], ['twaalf', 'twaalven'])(0, word),
  ...(/(?:vijf|zes|elf|twaalf)$/u.test(word) ? [] : [`${word}en`]),
]

const norwegian: Forms = (_, word) => (word.includes(' ') ? [word.replaceAll(' ', '')] : [])

const CZECH_ONES = split('- jedna dva tři čtyři pět šest sedm osm devět')
const CZECH_TENS = split('dvacet třicet čtyřicet padesát šedesát sedmdesát osmdesát devadesát')
const czech: Forms = (value) =>
  value > 20 && value < 100 && value % 10 > 0
    ? [`${CZECH_ONES[value % 10]}${value % 10 === 1 ? '' : 'a'}${CZECH_TENS[tensOf(value) - 2]}`]
    : []

const slovak = composed(
  split(
    'nula jeden dva tri štyri päť šesť sedem osem deväť desať jedenásť dvanásť trinásť štrnásť pätnásť šestnásť sedemnásť osemnásť devätnásť',
  ),
  split('dvadsať tridsať štyridsať päťdesiat šesťdesiat sedemdesiat osemdesiat deväťdesiat'),
  (ten, one) => `${ten}${one}`,
)

const slovenian = composed(
  split(
    'nič ena dva tri štiri pet šest sedem osem devet deset enajst dvanajst trinajst štirinajst petnajst šestnajst sedemnajst osemnajst devetnajst',
  ),
  split('dvajset trideset štirideset petdeset šestdeset sedemdeset osemdeset devetdeset'),
  (ten, one) => `${one}in${ten}`,
)

const bulgarian = composed(
  split(
    'нула един двама трима четирима пет шест седем осем девет десет единадесет дванадесет тринадесет четиринадесет петнадесет шестнадесет седемнадесет осемнадесет деветнадесет',
  ),
  split('двадесет тридесет четиридесет петдесет шестдесет седемдесет осемдесет деветдесет'),
  (ten, one) => `${ten} и ${one}`,
)

const estonian = composed(
  split(
    'null üks kaks kolm neli viis kuus seitse kaheksa üheksa kümme üksteist kaksteist kolmteist neliteist viisteist kuusteist seitseteist kaheksateist üheksateist',
  ),
  split('kakskümmend kolmkümmend nelikümmend viiskümmend kuuskümmend seitsekümmend kaheksakümmend üheksakümmend'),
  (ten, one) => `${ten} ${one}`,
)

const catalan = composed(
  split('zero un dos tres quatre cinc sis set vuit nou deu onze dotze tretze catorze quinze setze disset divuit dinou'),
  split('vint trenta quaranta cinquanta seixanta setanta vuitanta noranta'),
  (ten, one) => (ten === 'vint' ? `${ten}-i-${one}` : `${ten}-${one}`),
)

const polish = composed(
  split(
    'zera jeden dwóch trzech czterech pięciu sześciu siedmiu ośmiu dziewięciu dziesięciu jedenastu dwunastu trzynastu czternastu piętnastu szesnastu siedemnastu osiemnastu dziewiętnastu',
  ),
  split(
    'dwudziestu trzydziestu czterdziestu pięćdziesięciu sześćdziesięciu siedemdziesięciu osiemdziesięciu dziewięćdziesięciu',
  ),
  (ten, one) => `${ten} ${one}`,
)

const ukrainianCollective = ending(
  ['два', 'двоє'],
  ['три', 'троє'],
  ['чотири', 'четверо'],
  ['шість', 'шестеро'],
  ['сім', 'семеро'],
  ['вісім', 'восьмеро'],
  ["п'ять", "п'ятеро"],
  ["дев'ять", "дев'ятеро"],
  ['надцять', 'надцятеро'],
  ['десять', 'десятеро'],
)

/** n2words writes `шiсть` with a Latin letter. */
const ukrainian: Forms = (value, word) => {
  const right = word.replaceAll('i', 'і')
  return [right, ...ukrainianCollective(value, right)]
}

const russian = ending(
  ['два', 'двое'],
  ['три', 'трое'],
  ['четыре', 'четверо'],
  ['пять', 'пятеро'],
  ['шесть', 'шестеро'],
  ['восемь', 'восьмеро'],
  ['семь', 'семеро'],
  ['девять', 'девятеро'],
  ['десять', 'десятеро'],
)

const croatian: Forms = (value, word) => [
  ...ending(
    ['dva', 'dvoje'],
    ['tri', 'troje'],
    ['cetiri', 'cetvero'],
    ['pet', 'petero'],
    ['sest', 'sestero'],
    ['sedam', 'sedmero'],
    ['osam', 'osmero'],
    ['deset', 'desetero'],
    ['devet', 'devetero'],
  )(value, word),
  ...(word.includes(' ') ? [word.replace(' ', ' i ')] : []),
]

const hungarian = ending(
  ['ketto', 'ketten'],
  ['harom', 'harman'],
  ['negy', 'negyen'],
  ['hat', 'hatan'],
  ['het', 'heten'],
  ['nyolc', 'nyolcan'],
  ['kilenc', 'kilencen'],
  ['egy', 'egyen'],
  ['tiz', 'tizen'],
  ['husz', 'huszan'],
  ['harminc', 'harmincan'],
  ['ven', 'venen'],
  ['van', 'vanan'],
  ['ot', 'oten'],
)

const greek = ending(['τρια', 'τρεις'], ['τεσσερα', 'τεσσερις'], ['εννεα', 'εννια'], ['επτα', 'εφτα'], ['οκτω', 'οχτω'])

const hebrew = ending(
  ['שתים', 'שניים'],
  ['שלש', 'שלושה'],
  ['ארבע', 'ארבעה'],
  ['חמש', 'חמישה'],
  ['שבע', 'שבעה'],
  ['תשע', 'תשעה'],
  ['שש', 'שישה'],
)

/** Further forms by two-letter language code. */
export const FORMS: Readonly<Record<string, Forms>> = {
  bg: bulgarian,
  ca: catalan,
  cs: czech,
  de: german,
  el: greek,
  et: estonian,
  he: hebrew,
  hr: croatian,
  hu: hungarian,
  nb: norwegian,
  nl: dutch,
  pl: polish,
  pt: ending(['dois', 'duas']),
  ro: ending(['doi', 'doua']),
  ru: russian,
  sk: slovak,
  sl: slovenian,
  uk: ukrainian,
}
