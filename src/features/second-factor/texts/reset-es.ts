/** The texts about a reset of second factors in Spanish. */
import type { MailContent, MailTexts, ShortTexts, TextContext } from '../../../core/message.ts'
import { bound } from '../code-messages.ts'
import type { ResetNotice } from '../reset-mail.ts'
import { factorList, resetPage } from '../reset-page.ts'
import type { ResetMails, ResetTexts } from '../texts.ts'

const names: Readonly<Record<string, string>> = {
  totp: 'app de autenticación',
  otp: 'códigos enviados',
  passkeys: 'llaves de acceso',
  'backup-codes': 'códigos de respaldo',
}

function inSpanish(notice: ResetNotice, context: TextContext): MailContent {
  const { appName: app, time } = context
  const { stage, requestedBy, effectiveAt } = notice
  const isOwn = requestedBy === 'user'
  const who = isOwn ? 'Lo solicitaste al iniciar sesión' : 'Lo solicitó un administrador'
  const subjects = {
    requested: `Los segundos factores de tu cuenta de ${app} se restablecerán`,
    soon: `Recordatorio: los segundos factores de tu cuenta de ${app} se restablecerán`,
    done: `Los segundos factores de tu cuenta de ${app} se restablecieron`,
  }
  const requested = isOwn ? 'Como se solicitó al iniciar sesión' : 'A petición de un administrador'
  const paragraphs =
    stage === 'done'
      ? [
          `${requested}, se quitaron los segundos factores de tu cuenta y se cerró la sesión en todas partes. Inicia sesión de nuevo y configura lo que necesites.`,
        ]
      : [
          `${who}. El ${time(effectiveAt)} se quitarán los segundos factores de tu cuenta y se cerrará la sesión en todas partes.`,
          'Un inicio de sesión con un segundo factor cancela el restablecimiento.',
        ]
  const contact = isOwn ? 'cambia tu contraseña: otra persona la conoce' : 'contacta con el responsable de este servicio'
  return {
    subject: subjects[stage],
    preheader: paragraphs[0] ?? '',
    heading: stage === 'done' ? 'Tus segundos factores se restablecieron' : 'Tus segundos factores se restablecerán',
    paragraphs,
    facts: [
      ['Segundos factores', factorList(notice, names)],
      ['Fecha', time(effectiveAt)],
    ],
    ...resetPage(context, notice, ['Cancelar restablecimiento', 'Revisar tu seguridad']),
    footnote:
      stage === 'done'
        ? 'Si no lo solicitaste, contacta con el responsable de este servicio y cambia tu contraseña.'
        : `Si no lo solicitaste, cancela el restablecimiento y ${contact}.`,
  }
}

export const resetMails: MailTexts<ResetMails> = {
  'two-factor-reset': inSpanish,
  'two-factor-reset-code': ({ otp }, { appName, config, duration }) => ({
    subject: `${otp} es tu código para restablecer los segundos factores de tu cuenta de ${appName}`,
    preheader: 'Quita todos tus segundos factores.',
    heading: otp,
    paragraphs: [
      `Este código solicita el restablecimiento de tus segundos factores en ${appName}. Vence en ${duration(config.twoFactor.otpOptions.period * 60)}.`,
    ],
    footnote: 'No lo compartas nunca. Si no lo solicitaste, otra persona conoce tu contraseña: cámbiala ahora.',
  }),
}

export const resetTexts: ShortTexts<ResetTexts> = {
  'two-factor-reset': ({ stage, effectiveAt }, { appName, time }) => {
    if (stage === 'cancelled') return `${appName}: se canceló el restablecimiento de tus segundos factores. Se quedan como están.`
    return stage === 'done'
      ? `${appName}: tus segundos factores se restablecieron. ¿No fuiste tú? Contacta con el responsable de este servicio.`
      : `${appName}: tus segundos factores se restablecerán el ${time(effectiveAt)}. ¿No fuiste tú? Cancélalo con el enlace de nuestro correo.`
  },
  'two-factor-reset-code': ({ otp }, { appName, config, duration }) =>
    `${otp} es tu código para restablecer los segundos factores de tu cuenta de ${appName}. Vence en ${duration(config.twoFactor.otpOptions.period * 60)}. No lo compartas nunca.${bound(config, otp)}`,
}
