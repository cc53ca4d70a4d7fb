import { QueryClientProvider } from '@tanstack/react-query';
import { createRoot } from 'react-dom/client';
import { createBrowserRouter } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import { Kinds } from '../engines/rollout/kind-context.tsx';
import { prefix } from '../kit/base.ts';
import { watchErrors } from '../kit/error-log.ts';
import { loadLanguages, loadTexts } from '../kit/language.ts';
import { queryClient } from '../kit/queries.ts';
import { onSessionEnded, onSignedIn, session, tokenOf } from '../kit/session.ts';
import { keepPressesSteady } from '../ui/steady-press.ts';
import { ThemeRoot } from '../ui/theme.tsx';
import { Toasts } from '../ui/toast.tsx';
import { Crash } from './crash.tsx';
import { enter, leave } from './entry.ts';
import { pageOf } from './kept-pages.tsx';
import { matchRoute } from './match.ts';
import { LeaveQuestion, Root } from './root.tsx';
import { kinds, routes } from './routes.ts';
import { StepUp } from './step-up.tsx';
import { isWall, Wall } from './wall.tsx';
import '../ui/parts.css';
import '../ui/tree.css';
import '../ui/fields.css';
import '../ui/figures.css';
import '../ui/pages.css';
import './sign-in.css';
import './shell.css';

watchErrors();
keepPressesSteady();
onSessionEnded(() => leave(true));
onSignedIn(enter);
void loadTexts();
void loadLanguages();
// Who is here and the page's code are asked for beside the texts.
const { platform } = session.get();
const first = matchRoute(routes, location.pathname.slice(prefix.length), platform)?.route;
const wall = isWall();
const enters = !wall && !first?.open && tokenOf(platform) !== undefined;
if (enters) void enter(platform);
if (!wall && first && (first.open || enters)) void pageOf(first).catch(() => {});

const Page = () => (
  <Kinds value={kinds}>
    <Root />
    <LeaveQuestion />
    <StepUp />
  </Kinds>
);
const router = createBrowserRouter([{ path: '*', Component: Page }], { basename: prefix || '/' });
const place = document.getElementById('root');
if (place) {
  createRoot(place).render(
    <ThemeRoot>
      <QueryClientProvider client={queryClient}>
        <Crash>{wall ? <Wall /> : <RouterProvider router={router} />}</Crash>
        <Toasts />
      </QueryClientProvider>
    </ThemeRoot>,
  );
}
