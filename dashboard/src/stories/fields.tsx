/** Stories of fields. */
import { TextLink } from '../components/button.tsx'
import { Checkbox, PasswordField, SelectField, TextArea, TextField } from '../components/field.tsx'
import { useApiForm } from '../components/form.tsx'
import { NewPasswordField } from '../components/new-password-field.tsx'
import { CodeField, NewCode } from '../components/one-time-code.tsx'
import { NewPhoneCode, PhoneField } from '../components/phone-code.tsx'
import { emptyInputs, type UserField, type UserFieldInputs, UserFields } from '../components/user-fields.tsx'
import { UsernameField } from '../components/username-field.tsx'
import { longText, type Story } from './story.ts'

const newCode = { sent: 'A new code was sent.', send: 'Send a new code', sendIn: (time: string) => `New code in ${time}` }

const options = [
  { value: 'daily', label: 'Every day' },
  { value: 'weekly', label: 'Every week' },
]

const field = (name: string, type: UserField['type'], required = false): UserField => ({
  name,
  type,
  required,
  label: { en: `Field ${name}`, de: `Feld ${name}` },
  isOnSignUp: true,
  isEditable: true,
})
const userFields = [
  field('text', 'string', true),
  field('count', 'number'),
  field('day', 'date'),
  field('news', 'boolean'),
  field('plan', ['free', 'paid']),
  field('tags', 'string[]'),
]

function UserFieldsStory() {
  const state = useApiForm<{ readonly more: UserFieldInputs }>({
    // Nothing is submitted.
    schema: () => new Promise(() => undefined),
    defaults: { more: emptyInputs(userFields) },
    submit: () => Promise.resolve(),
  })
  return (
    <div className="grid gap-4">
      <UserFields state={state} member="more" fields={userFields} />
    </div>
  )
}

export const fields: readonly Story[] = [
  {
    component: 'TextField',
    states: {
      normal: <TextField label="Name" hint="As on your passport." />,
      optional: <TextField label="Company" isOptional />,
      error: <TextField label="Email" defaultValue="ada@@example" error="Enter an email address." hint="We send a link." />,
      disabled: <TextField label="Email" value="ada@example.com" disabled readOnly />,
      'read only': <TextField label="Email" value="ada@example.com" readOnly />,
      action: <TextField label="Email" action={<TextLink to="/">Forgot it?</TextLink>} />,
      'long label': <TextField label={longText} hint={longText} />,
    },
  },
  {
    component: 'TextArea',
    states: {
      normal: <TextArea label="Addresses" hint="Separated by commas." />,
      'code with an error': <TextArea label="Metadata" isCode defaultValue='{"plan"' error="Enter a JSON object." />,
    },
  },
  {
    component: 'PasswordField',
    states: {
      normal: <PasswordField label="Password" autoComplete="off" />,
      error: <PasswordField label="New password" autoComplete="off" error="The password is too short." />,
    },
  },
  {
    component: 'SelectField',
    states: {
      normal: <SelectField label="How often" options={options} />,
      error: <SelectField label="How often" options={options} error="Choose one." />,
      disabled: <SelectField label="How often" options={options} disabled />,
    },
  },
  {
    component: 'Checkbox',
    states: {
      normal: <Checkbox label="Keep me signed in" />,
      checked: <Checkbox label="Keep me signed in" defaultChecked />,
      error: <Checkbox label="I accept the terms" error="Accept the terms to continue." />,
      'long label': <Checkbox label={longText} />,
    },
  },
  {
    component: 'NewPasswordField',
    states: {
      normal: <NewPasswordField name="new" />,
      error: <NewPasswordField name="new-error" error="The password is too short." />,
    },
  },
  {
    component: 'UsernameField',
    states: {
      normal: <UsernameField name="username" text="" />,
      error: <UsernameField name="username-error" text="a" error="The username is too short." />,
    },
  },
  {
    component: 'PhoneField',
    states: {
      normal: <PhoneField name="phone" />,
      error: <PhoneField name="phone-error" error="Enter the phone number with its country code." />,
    },
  },
  {
    component: 'CodeField',
    states: {
      normal: <CodeField label="Code" name="code" autoFocus={false} />,
      error: <CodeField label="Code" name="code-error" autoFocus={false} error="The code is wrong." />,
    },
  },
  {
    component: 'NewCode',
    states: { normal: <NewCode texts={newCode} resend={() => Promise.resolve()} resendAfter={0} /> },
  },
  {
    component: 'NewPhoneCode',
    states: { normal: <NewPhoneCode resend={() => Promise.resolve()} onChangeNumber={() => undefined} /> },
  },
  { component: 'UserFields', states: { 'one of each type': <UserFieldsStory /> } },
]
