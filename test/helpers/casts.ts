/** Invented people with ordinary names and titles of many countries, to test classes of pages and not single pages. */
export interface CastPerson {
  name: string
  title: string
}

export interface Cast {
  language: string
  people: readonly [CastPerson, CastPerson, CastPerson, CastPerson, CastPerson]
}

const cast = (language: string, ...lines: [string, string, string, string, string]): Cast => ({
  language,
  people: lines.map((line) => {
    const [name = '', title = ''] = line.split(' | ')
    return { name, title }
  }) as unknown as Cast['people'],
})

export const CASTS: readonly Cast[] = [
  cast(
    'en',
    'Harriet Lomax | Managing Director',
    'Gavin Prentice | Finance Director',
    'Olu Adewale | Operations Manager',
    'Siobhan Keane | Head of Sales',
    'Marcus Tilley | Workshop Supervisor',
  ),
  cast(
    'en',
    'Denise Kowalczyk | President',
    'Raymond Ortega | Vice President of Operations',
    'Teresa Whitlock | Controller',
    'Jamal Hendricks | Project Manager',
    'Beth Sorensen | Office Manager',
  ),
  cast(
    'en',
    'Priya Venkatesan | Chief Executive Officer',
    'Arjun Malhotra | Chief Technology Officer',
    'Neha Kulkarni | Head of Customer Success',
    'Rohan D’Souza | Product Manager',
    'Fatima Sheikh | Data Engineer',
  ),
  cast(
    'en',
    'Moira Galbraith | Practice Manager',
    'Ewan Sutherland | Senior Partner',
    'Catriona MacPhail | Associate',
    'Hamish Orr | Trainee Solicitor',
    'Isla Renwick | Receptionist',
  ),
  cast(
    'de',
    'Katharina Brandl | Geschäftsführerin',
    'Holger Steinmetz | Leiter Vertrieb',
    'Sabine Wieland | Buchhaltung',
    'Emre Yıldız | Projektleiter',
    'Jürgen Falkner | Werkstattmeister',
  ),
  cast(
    'de',
    'Ursina Caflisch | Leiterin Finanzen',
    'Beat Zürcher | Geschäftsleiter',
    'Regula Hofer | Assistentin der Geschäftsleitung',
    'Marco Bernasconi | Bauleiter',
    'Nadine Gerber | Lernende Kauffrau',
  ),
  cast(
    'fr',
    'Élodie Marchand | Directrice générale',
    'Bertrand Lacombe | Directeur commercial',
    'Samira Benali | Responsable qualité',
    'Julien Chastagner | Chef d’atelier',
    'Maud Ferrand | Comptable',
  ),
  cast(
    'fr',
    'Geneviève Tremblay | Présidente',
    'Marc-André Gagné | Directeur des opérations',
    'Nathalie Bouchard | Conseillère principale',
    'Yannick Pelletier | Ingénieur',
    'Sophie Lavoie | Adjointe administrative',
  ),
  cast(
    'es',
    'Lucía Barrientos | Directora general',
    'Ramón Echevarría | Jefe de producción',
    'Inés Carrasco | Responsable de calidad',
    'Jorge Villalobos | Comercial',
    'Nuria Palomino | Administración',
  ),
  cast(
    'es',
    'Gabriela Montoya Ríos | Gerente General',
    'Héctor Zúñiga | Gerente de Operaciones',
    'Patricia Salcedo | Contadora',
    'Óscar Maldonado | Supervisor de planta',
    'Daniela Cifuentes | Asistente comercial',
  ),
  cast(
    'it',
    'Federica Bonaldi | Amministratrice delegata',
    'Stefano Guarnieri | Direttore tecnico',
    'Chiara Pellizzari | Responsabile acquisti',
    'Matteo Frigerio | Progettista',
    'Lorella Sartori | Segreteria',
  ),
  cast(
    'pt',
    'Helena Vasconcelos | Diretora-geral',
    'Tiago Meireles | Diretor financeiro',
    'Sónia Prates | Responsável de logística',
    'Rui Caetano | Encarregado de obra',
    'Vânia Quintas | Rececionista',
  ),
  cast(
    'nl',
    'Marieke Hofstra | Directeur',
    'Joost van Beek | Hoofd verkoop',
    'Ingrid Verstegen | Controller',
    'Bas Kuipers | Projectleider',
    'Fleur de Wit | Officemanager',
  ),
  cast(
    'pl',
    'Małgorzata Sobczak | Prezes zarządu',
    'Krzysztof Wilk | Dyrektor handlowy',
    'Agnieszka Rutkowska | Główna księgowa',
    'Paweł Cieślak | Kierownik produkcji',
    'Dorota Lis | Specjalista ds. kadr',
  ),
  cast(
    'cs',
    'Zdeňka Malá | Jednatelka',
    'Radek Šimůnek | Obchodní ředitel',
    'Ivana Kubátová | Účetní',
    'Tomáš Vondra | Vedoucí výroby',
    'Lenka Říhová | Asistentka',
  ),
  cast(
    'sv',
    'Annika Lindqvist | Verkställande direktör',
    'Fredrik Sandell | Försäljningschef',
    'Maria Öberg | Ekonomiansvarig',
    'Hassan Yusuf | Projektledare',
    'Elin Forsberg | Receptionist',
  ),
  cast(
    'da',
    'Birgitte Østergaard | Administrerende direktør',
    'Søren Kjeldsen | Salgschef',
    'Lone Thygesen | Bogholder',
    'Morten Friis | Værkfører',
    'Ida Lund | Projektleder',
  ),
  cast(
    'fi',
    'Riitta Lehtonen | Toimitusjohtaja',
    'Jukka Mäkelä | Myyntipäällikkö',
    'Sanna Heikkilä | Talouspäällikkö',
    'Timo Rantanen | Projektipäällikkö',
    'Päivi Salmi | Assistentti',
  ),
  cast(
    'ro',
    'Ioana Munteanu | Director general',
    'Bogdan Stanciu | Director comercial',
    'Raluca Dobre | Contabil șef',
    'Florin Neagu | Inginer',
    'Simona Tudor | Asistent manager',
  ),
  cast(
    'tr',
    'Elif Karaca | Genel Müdür',
    'Murat Özdemir | Satış Müdürü',
    'Zeynep Aksu | Muhasebe Müdürü',
    'Kerem Tunç | Üretim Şefi',
    'Gül Şahin | İnsan Kaynakları Uzmanı',
  ),
]

/** Returns the share of the answers that are right: a missing person, another title and an invented person are wrong. */
export function shareRight(read: (cast: Cast) => { found: readonly string[]; expected: readonly string[] }): number {
  let [right, wrong] = [0, 0]
  for (const one of CASTS) {
    const { found, expected } = read(one)
    const same = expected.filter((person) => found.includes(person)).length
    right += same
    wrong += expected.length - same + found.filter((person) => !expected.includes(person)).length
  }
  return right + wrong === 0 ? 1 : right / (right + wrong)
}
