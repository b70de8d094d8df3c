import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './policy-en.ts'

export const messages: Translation<typeof english> = {
  policyLabel: 'Segundo factor de los miembros',
  policyHint: 'Sin uno, los miembros pueden iniciar sesión, pero no abrir esta organización.',
  notRequired: 'No obligatorio',
  requiredNow: 'Obligatorio inmediatamente',
  requiredAfter: ({ count }, { plural }) =>
    plural(count, { one: 'Obligatorio, # día para configurarlo', other: 'Obligatorio, # días para configurarlo' }),
  graceText: 'El plazo de cada miembro empieza la próxima vez que abra la organización.',
  stopsNow: ({ count }, { plural }) =>
    plural(count, { one: '# miembro pierde el acceso inmediatamente.', other: '# miembros pierden el acceso inmediatamente.' }),
  showAdministrators: 'Los miembros que perdieron su segundo factor ven los nombres de los administradores al iniciar sesión',
  savePolicy: 'Guardar norma',
  policySaved: 'La norma se guardó.',
  setUpOwn: 'Configurar un segundo factor',
  withoutFactor: 'Miembros sin segundo factor',
  everyoneHasOne: 'Todos los miembros tienen un segundo factor.',
  lackOne: ({ count }, { plural }) =>
    plural(count, { one: '# miembro no tiene segundo factor.', other: '# miembros no tienen segundo factor.' }),
  andMore: ({ count }, { plural }) => plural(count, { one: 'y # más', other: 'y # más' }),
  sendReminders: 'Enviar recordatorio',
  remindersText: 'Por correo, como máximo uno al día a cada miembro.',
  remindersSent: ({ count }, { plural }) =>
    plural(count, { one: 'Se envió un recordatorio a # miembro.', other: 'Se enviaron recordatorios a # miembros.' }),
  alreadyReminded: 'Estos miembros recibieron un recordatorio en las últimas 24 horas.',
  moreReminders: 'Hay más miembros. Envía de nuevo para llegar a ellos.',
  stopped: ({ name }) => `${name} exige un segundo factor`,
  stoppedText:
    'Tu cuenta no tiene ninguno. Configura uno para volver a abrir esta organización. Tu cuenta y tus otras organizaciones siguen abiertas.',
  emailIsNotEnough: 'Los códigos por correo no bastan.',
  otherOrganizations: 'Todas las organizaciones',
  dueSoon: ({ date }) => `Esta organización exige un segundo factor. Lo necesitas a partir del ${date}.`,
}
