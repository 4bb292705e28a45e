import type { GoldPerson } from './invented-people.ts'
import { bioOf } from './invented-people.ts'
import type { Layout } from './layouts-dev.ts'

const each = (people: GoldPerson[], draw: (person: GoldPerson, index: number) => string): string =>
  people.map(draw).join('\n')

const rename = (people: GoldPerson[], list: [name: string, title: string][]): void => {
  people.splice(0, people.length, ...list.map(([name, title]) => ({ name, title })))
}

/** Families added after the extractor was written, without a counterpart in the development half. */
export const LATE_LAYOUTS: Record<string, Layout> = {
  'one heading with a break': (people) =>
    `<h1>Our People</h1><div>${each(people, ({ name, title }) => `<div><img src="q.jpg"><h3>${name}<br>${title}</h3></div>`)}</div>`,
  'nested spans': (people) =>
    `<div><p><span><span>OUR TEAM</span></span></p></div><div>${each(people, ({ name, title }) => `<div><div><p><span style="font-weight:bold"><span>${name}</span></span></p></div><div><p><span><span>${title}</span></span></p></div></div>`)}</div>`,
  'table of three columns': (people) => {
    const rows: string[] = []
    for (let at = 0; at < people.length; at += 3)
      rows.push(
        `<tr>${each(people.slice(at, at + 3), ({ name, title }) => `<td align="center"><img src="w.jpg"><br><b>${name}</b><br>${title}</td>`)}</tr>`,
      )
    return `<h2>Meet the Staff</h2><table>${rows.join('')}</table>`
  },
  'bold name in prose': (people, _, random) =>
    `<h1>Leadership</h1>${each(people, (person) => `<p><strong>${person.name}</strong> – <em>${person.title}</em><br>${bioOf(person, random)}</p>`)}`,
  'pipe lines': (people) =>
    `<h2>Directory</h2>${each(people, ({ name, title }, i) => `<div>${name} | ${title} | ext. 10${i}</div>`)}`,
  'title in brackets': (people) =>
    `<h2>Management board</h2><ul>${each(people, ({ name, title }) => `<li>${name} (${title})</li>`)}</ul>`,
  'list items of roles': (people) =>
    `<div role="list">${each(people, ({ name, title }) => `<div role="listitem"><a href="/x"><div><h2>${name}</h2></div></a><div><div>${title}</div><div>Springfield</div></div></div>`)}</div><h1>Our team</h1>`,
  'cards with tags and calls': (people) =>
    `<h1>Find an advisor</h1><ul>${each(people, ({ name, title }, i) => `<li><div>Retirement</div><h4>${name}</h4><p>${title}</p><p>Serving families since 20${10 + i}</p><a href="/meet">Schedule a call</a></li>`)}</ul>`,
  japanese: (people) => {
    rename(people, [
      ['見本 太郎', '代表取締役社長'],
      ['仮名 花子', '取締役'],
      ['試験 一郎', '執行役員'],
      ['例文 さくら', '監査役'],
    ])
    return `<h2>役員一覧</h2><table>${each(people, ({ name, title }) => `<tr><th>${title}</th><td>${name}</td></tr>`)}</table>`
  },
  russian: (people) => {
    rename(people, [
      ['Иван Примеров', 'Генеральный директор'],
      ['Анна Образцова', 'Финансовый директор'],
      ['Пётр Тестов', 'Руководитель отдела продаж'],
    ])
    return `<h1>Наша команда</h1>${each(people, ({ name, title }) => `<div><h3>${name}</h3><p>${title}</p></div>`)}`
  },
  spanish: (people) => {
    const titles = [
      'Director General',
      'Directora Financiera',
      'Gerente de Operaciones',
      'Responsable de Marketing',
      'Abogado',
      'Socia Fundadora',
      'Asesor Financiero',
      'Jefa de Proyectos',
      'Contadora',
      'Presidente',
    ]
    people.forEach((person, i) => {
      person.title = titles[i % titles.length] as string
    })
    return `<h1>Nuestro equipo</h1><section>${each(people, ({ name, title }) => `<article><header><h2>${name}</h2></header><p>${title}</p></article>`)}</section>`
  },
  'family name first': (people) => {
    for (const person of people) {
      const words = person.name.split(' ')
      person.name = `${words.at(-1)}, ${words.slice(0, -1).join(' ')}`
    }
    return `<h1>Staff</h1><table><tr><th>Name</th><th>Title</th></tr>${each(people, ({ name, title }) => `<tr><td>${name}</td><td>${title}</td></tr>`)}</table>`
  },
}
