void adc(void)
{
    ADC->CTRLA.reg = 0x02;
    ADC->CTRLA.bit.ENABLE = 1;
    ADC->CTRLB.bit.PRESCALER = 3;
    ADC->CTRLB.bit.RESSEL = 1;
    ADC->INTFLAG.reg = 1;
    uint16_t result = ADC->RESULT.reg;
    while (!ADC->INTFLAG.bit.RESRDY) { }
}
