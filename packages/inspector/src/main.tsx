import { render } from 'preact';
import { App } from './App.js';
import { start } from './context.js';
import { pageLanguage, speak } from './texts.js';
import './styles/base.css';
import './styles/layout.css';
import './styles/context.css';
import './styles/stage.css';
import './styles/details.css';

const root = document.getElementById('page');
if (root !== null) render(<App />, root);
speak(pageLanguage.value);
start().catch(() => undefined); // The page shows why: `connection` tells.
