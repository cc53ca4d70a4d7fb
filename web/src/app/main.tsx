import { QueryClientProvider } from '@tanstack/react-query';
import { createRoot } from 'react-dom/client';
import { createBrowserRouter, RouterProvider } from 'react-router';
import { prefix } from '../kit/base.ts';
import { watchErrors } from '../kit/error-log.ts';
import { loadLanguages, loadTexts } from '../kit/language.ts';
import { queryClient } from '../kit/queries.ts';
import { ThemeRoot } from '../ui/theme.tsx';
import { Toasts } from '../ui/toast.tsx';
import { Crash } from './crash.tsx';
import { LeaveQuestion, Root } from './root.tsx';
import { StepUp } from './step-up.tsx';
import '../ui/parts.css';
import '../ui/tree.css';
import '../ui/fields.css';
import '../ui/figures.css';
import '../ui/pages.css';
import './door.css';
import './shell.css';

watchErrors();
void loadTexts();
loadLanguages();

const Page = () => (
  <>
    <Root />
    <LeaveQuestion />
    <StepUp />
  </>
);
const router = createBrowserRouter([{ path: '*', Component: Page }], { basename: prefix || '/' });
const place = document.getElementById('root');
if (place) {
  createRoot(place).render(
    <ThemeRoot>
      <QueryClientProvider client={queryClient}>
        <Crash>
          <RouterProvider router={router} />
        </Crash>
        <Toasts />
      </QueryClientProvider>
    </ThemeRoot>,
  );
}
