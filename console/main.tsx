import './styles/index.css'
import { render } from 'preact'
import { App } from './app.tsx'
import { receiveEvents } from './lib/live.ts'

receiveEvents()
const root = document.getElementById('app')
if (root) render(<App />, root)
