import { readFileSync } from 'node:fs'
import { parse } from 'csv-parse/sync'
import { classifyTitle } from '../../src/enrichment/people/titles/classify-title.ts'

export type Half = 'dev' | 'held-out'

interface GoldTitle {
  title: string
  seniority: string
  department: string
}

export interface TitleScore {
  titles: number
  seniority: number
  department: number
  misses: string[]
}

/** Reads the labeled titles. An empty label means that the title indicates none. */
export const readTitles = (half: Half): GoldTitle[] =>
  parse<GoldTitle>(readFileSync(new URL(`../fixtures/gold/titles/${half}.csv`, import.meta.url)), { columns: true })

/** Returns the share of gold titles with the labeled seniority and department. */
export function scoreTitles(half: Half): TitleScore {
  const gold = readTitles(half)
  const misses: string[] = []
  let [seniority, department] = [0, 0]
  for (const { title, ...label } of gold) {
    const found = classifyTitle(title)
    if ((found.seniority ?? '') === label.seniority) seniority++
    else misses.push(`${title}: seniority ${found.seniority}, not ${label.seniority}`)
    if ((found.department ?? '') === label.department) department++
    else misses.push(`${title}: department ${found.department}, not ${label.department}`)
  }
  return { titles: gold.length, seniority: seniority / gold.length, department: department / gold.length, misses }
}

if (import.meta.main) {
  const { titles, seniority, department, misses } = scoreTitles(process.argv[2] === 'dev' ? 'dev' : 'held-out')
  console.log(`titles ${titles}  seniority ${seniority.toFixed(3)}  department ${department.toFixed(3)}`)
  if (process.argv.includes('--misses')) console.log(misses.join('\n'))
}
