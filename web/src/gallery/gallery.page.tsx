import { Link } from '../kit/link.tsx';
import { LanguageMenu, ThemeMenu } from '../kit/look-menus.tsx';
import { welcomeUser } from '../kit/session.ts';
import { useView } from '../kit/view.ts';
import { answerGallery } from './answers.ts';
import { sampleDetail, sampleForm, sampleList, sampleWizard } from './pages.tsx';
import { ButtonParts, FeedbackParts, FieldParts, FigureParts } from './parts.tsx';
import { PlaceParts } from './place-parts.tsx';

answerGallery();
welcomeUser({
  id: 1,
  userName: 'Gallery',
  account: 'gallery',
  email: null,
  userCategory: '0',
  relateDept: { deptId: 1, deptName: '', userType: '1' },
  role: [],
  permissions: [],
  permissionsElsewhere: [],
  platforms: ['centre'],
  leavesOut: false,
  pwdPatternCheck: true,
  pwdExpireCheck: true,
  pwdDefFlag: false,
  mfaStatus: '0',
  mfaBindStatus: '0',
  language: null,
  timeZone: null,
  waiting: null,
  mobile: null,
  country: null,
  picture: null,
});

const List = sampleList.View;
const Detail = sampleDetail.View;
const Form = sampleForm.View;
const Wizard = sampleWizard.View;
const states = ['', '-loading', '-empty', '-error'] as const;
const names = [
  'parts',
  ...states.map((state) => `list${state}`),
  ...(['', '-loading', '-error'] as const).map((state) => `detail${state}`),
  'form',
  'form-failed',
  'wizard',
];

function Specimen({ show }: { show: string }) {
  if (show.startsWith('list')) return <List key={show} />;
  if (show.startsWith('detail')) return <Detail key={show} />;
  if (show.startsWith('form')) return <Form key={show} />;
  if (show.startsWith('wizard')) return <Wizard key={show} />;
  return (
    <div className="m-page">
      <ButtonParts />
      <FieldParts />
      <FigureParts />
      <PlaceParts />
      <FeedbackParts />
    </div>
  );
}

/** Every archetype and every part in all its states. Only in development. */
function Gallery() {
  const show = useView().search.get('show') ?? 'parts';
  return (
    <div className="m-shell-body" style={{ blockSize: '100dvh' }}>
      <header className="m-topbar m-row-wrap" style={{ blockSize: 'auto' }}>
        {names.map((name) => (
          <Link key={name} to={`/__gallery?show=${name}`} {...(name === show ? { className: 'm-tag m-tag-accent' } : {})}>
            {name}
          </Link>
        ))}
        <span className="m-grow" />
        <LanguageMenu />
        <ThemeMenu />
      </header>
      <main className="m-slot">
        <Specimen show={show} />
      </main>
    </div>
  );
}

export const galleryPage = { View: Gallery };
