import { render } from 'preact';
import { App } from './App.js';
import { start } from './model.js';
import { pageLanguage, speak } from './texts.js';
import './page.css';

const root = document.getElementById('page');
if (root !== null) render(<App />, root);
speak(pageLanguage.value);
start().catch(() => undefined); // The page shows why: `connection` tells.
